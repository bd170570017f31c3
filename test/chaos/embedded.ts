/** The chaos run on the embedded cluster: its own API server, all of its faults, simulated time. */
import * as v from 'valibot'

import { createKubeOver, type KubeClient } from '../../src/adapters/kube/client.ts'
import { fault, type Fault, faultKinds } from '../../src/apis/fault-file.ts'
import { seededRandom } from '../../src/core/random.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Kube } from '../../src/ports/kube.ts'
import { createCluster, type SimCluster } from '../../src/sim/cluster.ts'
import { type ChaosResult, runChaos } from './run.ts'
import { configMap, configMaps, namespaces } from './watching.ts'

/** Faults that can come to who only lists and watches. */
export const readFaults: readonly string[] = faultKinds.filter((kind) => kind !== 'conflict')

export const plantedFaults = (given: readonly v.InferInput<typeof fault>[]): readonly Fault[] =>
  given.map((one) => v.parse(fault, one))

/** A quarter of all requests go wrong, and every other watch ends early. */
const informerFaults = plantedFaults([
  { kind: 'error', share: 0.05, userAgent: 'informer' },
  { kind: 'too-many-requests', share: 0.05, retryAfterSeconds: 2, userAgent: 'informer' },
  { kind: 'expired', share: 0.05, userAgent: 'informer' },
  { kind: 'slow', share: 0.05, delayMillis: 3000, userAgent: 'informer' },
  { kind: 'reset-before', share: 0.05, userAgent: 'informer' },
  { kind: 'reset-after', share: 0.05, userAgent: 'informer' },
  { kind: 'drop-watch', share: 0.1, events: 0, userAgent: 'informer' },
  { kind: 'stall-watch', share: 0.05, events: 0, userAgent: 'informer' },
  { kind: 'stall-watch', share: 0.15, events: 7, userAgent: 'informer' },
  { kind: 'drop-watch', share: 0.3, events: 3, userAgent: 'informer' },
  { kind: 'drop-watch', events: 60, userAgent: 'informer' },
])

export type Run = { readonly seed: number; readonly operations: number }

type EmbeddedChaos = ChaosResult & {
  /** How often each fault came. */
  readonly came: Readonly<Record<string, number>>
  readonly simulatedSeconds: number
}

/** Runs `work` while time passes as fast as the machine allows. */
export async function inCluster<T>(
  seed: number,
  work: (cluster: SimCluster) => Promise<T>,
): Promise<T> {
  const cluster = createCluster({
    nodes: [],
    seed,
    speed: 'max',
    startsAt: Date.UTC(2026, 0, 1),
    historyLimit: 100, // so that a stalled watch comes back to 410
  })
  cluster.agenda.expectPromises() // before they come, or time would run away first
  const over = new AbortController()
  const running = cluster.agenda.run({ signal: over.signal })
  try {
    return await work(cluster)
  } finally {
    over.abort()
    await running
  }
}

/** Of a client that waits for nothing but what the server asks of it. */
export const clientOf = ({ transport, agenda }: SimCluster, userAgent: string): KubeClient =>
  createKubeOver(transport(userAgent), {
    clock: agenda.clock,
    random: seededRandom(1),
    limits: { read: 'unlimited', write: 'unlimited' },
  })

/** What is between the informer and the server, instead of the server's own faults. */
type Way = {
  readonly between: (kube: Kube, clock: Clock) => Kube
  readonly settle: () => void
}

export async function chaosEmbedded({ seed, operations }: Run, way?: Way): Promise<EmbeddedChaos> {
  return inCluster(seed, async (cluster) => {
    const { agenda, plant } = cluster
    const direct = clientOf(cluster, 'writer')
    const colors = ['red', 'green', 'blue']
    for (const name of colors) await direct.create(namespaces, { metadata: { name } })
    if (way === undefined) plant(informerFaults)
    const informer = clientOf(cluster, 'informer')
    const random = seededRandom(seed + 1000)
    const result = await runChaos({
      kubeDirect: direct,
      kubeThroughProxy: way === undefined ? informer : way.between(informer, agenda.clock),
      resource: configMaps,
      make: ({ namespace, name, value }) => configMap(name, value, namespace),
      operations,
      seed,
      namespaces: colors,
      concurrency: 2,
      informer: { watchTimeoutSeconds: 20 },
      clock: agenda.clock,
      wait: agenda.clock.sleep,
      afterOperation: async () => {
        if (random() < 0.2) await agenda.clock.sleep(Math.floor(random() * 2500))
      },
      settle: way?.settle ?? (() => plant([])),
    })
    return { ...result, came: faultsThatCame(cluster), simulatedSeconds: agenda.now() / 1000 }
  })
}

export function faultsThatCame({ handle }: SimCluster): Readonly<Record<string, number>> {
  const answer = handle({ method: 'GET', path: '/sim/faults', headers: {} })
  if (answer.kind !== 'whole') throw new Error('expected the faults, got no whole answer')
  return (JSON.parse(answer.body) as { came: Record<string, number> }).came
}
