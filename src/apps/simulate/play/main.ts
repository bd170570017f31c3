/** Plays a scenario on a cluster of its own, with one controller, and tells every window of every pod. */
import { setMaxListeners } from 'node:events'

import { type Pod, pods } from '../../../apis/pod.ts'
import type { NodeGroup, ScenarioFile } from '../../../apis/scenario-file.ts'
import type { PodWindow } from '../../../core/comparison/pod-window.ts'
import { seededRandom } from '../../../core/random.ts'
import type { Log } from '../../../ports/log.ts'
import { every } from '../../../runtime/every.ts'
import { createCluster, type SimCluster } from '../../../sim/cluster.ts'
import { groupIdOf, readSimulatedCgroups } from '../../../sim/kernel/cgroup-reader.ts'
import { writeSimulatedCgroups } from '../../../sim/kernel/cgroup-writer.ts'
import { playScenario, scenarioStart, usualNodes } from '../../../sim/scenario.ts'
import { kubeOn } from '../../platform/main.ts'
import { createObserver } from '../observe.ts'
import { createRoster } from '../roster.ts'
import type { Stage } from '../stage.ts'

export type Scene = {
  readonly cluster: SimCluster
  readonly stage: Stage
  readonly seed: number
  readonly signal: AbortSignal
  readonly fail: (error: Error) => void
}

/** Gives how many pods it has made start anew so far, beyond what their status tells, if it does. */
export type StartController = (scene: Scene) => (() => number) | undefined

export type Playing = {
  readonly scenario: ScenarioFile
  readonly seed: number
  /** Simulated milliseconds. */
  readonly duration: number
  readonly start: StartController
  /** What owners requested for a pod of a workload; what it came with if not told. */
  readonly writtenCores?: ReadonlyMap<string, number>
  readonly onWindow: (window: PodWindow) => void
  /** Called once a simulated second, with 0 to 1. */
  readonly onProgress?: ((ratio: number) => void) | undefined
}

/** How many pods the controller has made start anew, beyond what their status tells. */
export async function play(playing: Playing): Promise<number> {
  const { scenario, seed, duration, start, writtenCores = new Map(), onProgress } = playing
  const groups = scenario.nodes ?? usualNodes
  const cluster = createCluster({ nodes: groups, seed, speed: 'max', startsAt: scenarioStart })
  const { agenda } = cluster
  const over = new AbortController()
  setMaxListeners(0, over.signal)
  const faults: Error[] = []
  const fail = (error: Error): void => {
    faults.push(error)
    over.abort()
  }
  playScenario(cluster, { ...scenario, seed }, { onFault: fail })

  const stage = stageOn(cluster, { groups, seed, log: failing(fail) })
  const restarted = start({ cluster, stage, seed, signal: over.signal, fail })
  const look = createObserver({ ...stage, writtenCores, onWindow: playing.onWindow })
  const rhythm = { interval: 1000, clock: agenda.clock, log: stage.log, signal: over.signal }
  void every({ ...rhythm, doing: 'looking at pods' }, () => {
    look()
    onProgress?.(agenda.now() / duration)
  })
  await agenda.run({ until: duration, signal: over.signal })
  over.abort()
  const [fault] = faults
  if (fault !== undefined) throw fault
  return restarted?.() ?? 0
}

type Setting = {
  readonly groups: readonly NodeGroup[]
  readonly seed: number
  readonly log: Log
}

function stageOn(cluster: SimCluster, { groups, seed, log }: Setting): Stage {
  const cpus = new Map<string, number>(
    groups.flatMap((group) =>
      Array.from({ length: group.count }, (_, i) => [`${group.name}-${i}`, group.cpus] as const),
    ),
  )
  const roster = createRoster()
  cluster.api.subscribe(pods, ({ object, type }) => {
    roster.note(object as unknown as Pod, type === 'DELETED')
  })
  const random = seededRandom(seed)
  return {
    clock: cluster.agenda.clock,
    kube: kubeOn(cluster, { userAgent: 'rival', random }),
    roster,
    log,
    nodes: Array.from(cluster.kernels, ([name, kernel]) => ({
      name,
      cpus: cpus.get(name) ?? 0,
      cgroups: readSimulatedCgroups(kernel),
      writer: writeSimulatedCgroups(kernel),
      outcome: (place) => {
        const id = groupIdOf(place)
        const demandedMicros = kernel.demandedMicros(id)
        const { fine: answers, refused = 0, late = 0 } = kernel.latency(id) ?? {}
        return demandedMicros === undefined ? undefined : { demandedMicros, refused, late, answers }
      },
    })),
  }
}

/** A rival that stumbles would look better or worse than it is. */
const failing =
  (fail: (error: Error) => void): Log =>
  (level, message, fields = {}) => {
    if (level !== 'error') return
    const { error } = fields
    fail(new Error(message, { cause: error }))
  }
