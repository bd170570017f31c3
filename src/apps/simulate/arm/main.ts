/** Plays a scenario under one controller, on a cluster of its own, and says what came of it. */
import { setMaxListeners } from 'node:events'

import { type Pod, pods } from '../../../apis/pod.ts'
import type { ArmName, NodeGroup, ScenarioFile } from '../../../apis/scenario-file.ts'
import type { ArmResult } from '../../../core/comparison/arm-result.ts'
import { createTally } from '../../../core/comparison/tally.ts'
import { seededRandom } from '../../../core/random.ts'
import { captain } from '../../../core/rivals/captain.ts'
import { koordinator } from '../../../core/rivals/koordinator.ts'
import type { Log } from '../../../ports/log.ts'
import { every } from '../../../runtime/every.ts'
import { createCluster, type SimCluster } from '../../../sim/cluster.ts'
import { groupIdOf, readSimulatedCgroups } from '../../../sim/kernel/cgroup-reader.ts'
import { writeSimulatedCgroups } from '../../../sim/kernel/cgroup-writer.ts'
import { playScenario, scenarioStart, usualNodes } from '../../../sim/scenario.ts'
import { kubeOn, startPlatform } from '../../platform/main.ts'
import { createObserver, windowSeconds } from '../observe.ts'
import { driveLaw } from '../rivals/drive-law.ts'
import { driveVpa } from '../rivals/drive-vpa.ts'
import { liftLimits } from '../rivals/lift-limits.ts'
import { createRoster } from '../roster.ts'
import type { Stage } from '../stage.ts'

export type ArmRun = {
  readonly scenario: ScenarioFile
  readonly arm: ArmName
  readonly seed: number
  /** Simulated milliseconds. */
  readonly duration: number
  /** Called once a simulated second, with 0 to 1. */
  readonly onProgress?: (ratio: number) => void
}

/** Of Autothrottle's nine: the least throttling that its Captain is ever asked for. */
const captainTarget = 0

export async function playArm(run: ArmRun): Promise<ArmResult> {
  const { scenario, arm, seed, duration, onProgress } = run
  const groups = scenario.nodes ?? usualNodes
  const cluster = createCluster({
    nodes: groups,
    seed,
    speed: 'max',
    startsAt: scenarioStart,
  })
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
  const restarted = startController(arm, { cluster, stage, seed, signal: over.signal, fail })
  const tally = createTally()
  const look = createObserver(stage, (window) => {
    if (window.at - scenarioStart >= scenario.warmUp) tally.add(window)
  })
  const rhythm = { interval: 1000, clock: agenda.clock, log: stage.log, signal: over.signal }
  void every({ ...rhythm, doing: 'looking at pods' }, () => {
    look()
    onProgress?.(agenda.now() / duration)
  })
  await agenda.run({ until: duration, signal: over.signal })
  over.abort()
  const [fault] = faults
  if (fault !== undefined) throw fault
  const result = tally.result(arm, measuredSeconds(scenario, duration))
  return { ...result, restarts: result.restarts + restarted() }
}

/** In whole windows; 0 if none is left after the warm-up. */
export function measuredSeconds({ warmUp }: ScenarioFile, duration: number): number {
  const windowMillis = windowSeconds * 1000
  const from = Math.ceil(warmUp / windowMillis)
  return Math.max(0, Math.floor(duration / windowMillis) - from) * windowSeconds
}

type Start = {
  readonly cluster: SimCluster
  readonly stage: Stage
  readonly seed: number
  readonly signal: AbortSignal
  readonly fail: (error: Error) => void
}

/** Gives how many pods it has made start anew so far, beyond what their status tells. */
function startController(
  arm: ArmName,
  { cluster, stage, seed, signal, fail }: Start,
): () => number {
  if (arm === 'vpa') return driveVpa(stage, signal)
  if (arm === 'unlimited') void liftLimits(stage, signal)
  if (arm === 'koordinator') void driveLaw(koordinator(), stage, signal)
  if (arm === 'captain') void driveLaw(captain(captainTarget), stage, signal)
  if (arm === 'mbcas') void startPlatform(cluster, { seed }).catch(fail)
  return () => 0
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
