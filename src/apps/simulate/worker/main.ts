/** Plays one arm in a thread of its own, so that several are played at once. */
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'

import type { ArmResult } from '../../../core/comparison/arm-result.ts'
import { InvalidInput } from '../../../core/errors.ts'
import { type ArmRun, playArm } from '../arm/main.ts'

export type ArmOrder = Omit<ArmRun, 'onProgress'> & {
  /** Of this thread, 0 to 19: more gives way to others. */
  readonly niceness: number
}

export type ArmNews =
  | { readonly ratio: number }
  | { readonly result: ArmResult }
  /** What is wrong with the scenario. A thread cannot throw what its parent would know again. */
  | { readonly refusal: string }

/** Real milliseconds between two tidings. */
const tellEvery = 100

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
const tell = (news: ArmNews): void => parentPort?.postMessage(news)

const { niceness, ...run } = workerData as ArmOrder
setPriority(niceness)
let told = performance.now()
const onProgress = (ratio: number): void => {
  if (performance.now() - told < tellEvery) return
  told = performance.now()
  tell({ ratio })
}
try {
  tell({ result: await playArm({ ...run, onProgress }) })
} catch (error) {
  if (!(error instanceof InvalidInput)) throw error
  tell({ refusal: error.message })
}
