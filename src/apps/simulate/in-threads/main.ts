/** Arms in threads of their own: the one that asked stays free. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

import type { ComparisonView } from '../../../apis/dashboard.ts'
import type { ScenarioFile } from '../../../apis/scenario-file.ts'
import type { ArmName } from '../../../core/comparison/arm-names.ts'
import type { ArmResult } from '../../../core/comparison/arm-result.ts'
import { InvalidInput } from '../../../core/errors.ts'
import { compareArms } from '../compare.ts'
import type { ArmNews, ArmOrder } from '../worker/main.ts'

export type ScenarioComparison = {
  readonly arms: readonly ArmName[]
  readonly seed: number
  /** Simulated milliseconds. */
  readonly duration: number
  readonly scenario: ScenarioFile
  readonly name: string
  readonly onProgress?: (view: ComparisonView) => void
  /** More gives way to other threads, 0 to 19; 0 if not told. */
  readonly niceness?: number
  /** How many arms at once; as many as there are CPUs if not told. */
  readonly parallel?: number
  readonly signal?: AbortSignal
}

/** Rejects with the signal's reason if it is aborted. */
export async function compareScenario(given: ScenarioComparison): Promise<ComparisonView> {
  const { scenario, name, arms, seed, duration, onProgress, niceness = 0, signal } = given
  return compareArms({
    scenario: name,
    arms,
    parallel: given.parallel ?? availableParallelism(),
    onProgress,
    play: async (arm, tell) =>
      playInThread({ scenario, arm, seed, duration, niceness }, { tell, signal }),
  })
}

type Ears = {
  readonly tell: (ratio: number) => void
  readonly signal: AbortSignal | undefined
}

async function playInThread(order: ArmOrder, { tell, signal }: Ears): Promise<ArmResult> {
  signal?.throwIfAborted()
  const worker = new Worker(new URL('../worker/main.js', import.meta.url), { workerData: order })
  const stop = (): void => void worker.terminate()
  signal?.addEventListener('abort', stop)
  try {
    return await new Promise((resolve, reject) => {
      worker.on('message', (news: ArmNews) => {
        if ('result' in news) resolve(news.result)
        else if ('refusal' in news) reject(new InvalidInput(news.refusal))
        else tell(news.ratio)
      })
      worker.on('error', reject)
      worker.on('exit', () => {
        reject(signal?.reason ?? new Error(`playing ${order.arm}: its thread ended early`))
      })
    })
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}
