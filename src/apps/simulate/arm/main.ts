/** Plays a scenario under one controller, and says what came of it. */
import type { ScenarioFile } from '../../../apis/scenario-file.ts'
import type { ArmName } from '../../../core/comparison/arm-names.ts'
import type { ArmResult } from '../../../core/comparison/arm-result.ts'
import type { PodWindow } from '../../../core/comparison/pod-window.ts'
import { createTally } from '../../../core/comparison/tally.ts'
import { scenarioStart } from '../../../sim/scenario.ts'
import { controllers } from '../controllers/main.ts'
import { windowSeconds } from '../observe.ts'
import { play } from '../play/main.ts'
import { lookAhead } from './hindsight.ts'
import { writtenCoresOf } from './written.ts'

export type ArmRun = {
  readonly scenario: ScenarioFile
  readonly arm: ArmName
  readonly seed: number
  /** Simulated milliseconds. */
  readonly duration: number
  /** Called once a simulated second, with 0 to 1. */
  readonly onProgress?: (ratio: number) => void
}

export async function playArm(run: ArmRun): Promise<ArmResult> {
  const { scenario, arm, seed, duration, onProgress } = run
  const tally = createTally()
  const pending: PodWindow[] = []
  const restarted = await play({
    ...(await controllers[arm](run)),
    seed,
    duration,
    writtenCores: writtenCoresOf(scenario),
    onWindow: (window) => {
      if (window.at - scenarioStart < scenario.warmUp) return
      if (window.pendingSeconds > 0) pending.push(window)
      else tally.add(window)
    },
    onProgress,
  })
  for (const window of await withDemand(pending, run)) tally.add(window)
  const result = tally.result(arm, measuredSeconds(scenario, duration))
  return { ...result, restarts: result.restarts + restarted }
}

/** What a pod that no node took would have wanted: what others like it want where nothing holds them back. */
async function withDemand(pending: readonly PodWindow[], run: ArmRun): Promise<PodWindow[]> {
  if (pending.length === 0) return []
  const seen = await lookAhead(run)
  return pending.map((window) => {
    const cores = seen.get(window.workload)?.demandedCores ?? 0
    return Object.assign({}, window, { demandedMicros: cores * window.pendingSeconds * 1e6 })
  })
}

/** In whole windows; 0 if none is left after the warm-up. */
export function measuredSeconds({ warmUp }: ScenarioFile, duration: number): number {
  const windowMillis = windowSeconds * 1000
  const from = Math.ceil(warmUp / windowMillis)
  return Math.max(0, Math.floor(duration / windowMillis) - from) * windowSeconds
}
