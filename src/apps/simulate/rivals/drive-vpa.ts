/**
 * The Vertical Pod Autoscaler on a cluster, in its mode InPlaceOrRecreate: once a minute a sample of
 * every container into the history of its workload, and a resize of every pod whose request is out of
 * bounds. Limits keep the ratio to requests that they came with. A pod whose resize is refused, or put
 * off for 5 minutes, is evicted if its workload has another, once for a recommendation; the one that
 * comes instead has what its template says: what VPA's webhook would make of it when the scenario began.
 */
import type { History } from '../../../core/rivals/vpa.ts'
import { every } from '../../../runtime/every.ts'
import type { Stage } from '../stage.ts'
import { createVpaSampler } from './vpa-sampler.ts'
import { createVpaUpdater } from './vpa-updater.ts'

const MINUTE = 60_000

/** `known`: what was seen of each workload before. Gives how many pods it has evicted so far. */
export function driveVpa(
  stage: Stage,
  known: ReadonlyMap<string, History>,
  signal: AbortSignal,
): () => number {
  const { clock, log, nodes, roster } = stage
  const sampler = createVpaSampler(nodes, known)
  const updater = createVpaUpdater(stage)
  void every({ interval: MINUTE, clock, log, signal, doing: 'driving VPA' }, async () => {
    const present = [...roster.all()].filter(({ isLeaving }) => !isLeaving)
    sampler.take(present, clock.wall())
    for (const pod of present) await updater.update(pod, sampler.recommendationsFor(pod), signal)
  })
  return updater.evictions
}
