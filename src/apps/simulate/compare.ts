/** Several arms, some of them at once, into one comparison. */
import type { ComparisonView } from '../../apis/dashboard.ts'
import type { ArmName } from '../../core/comparison/arm-names.ts'
import type { ArmResult } from '../../core/comparison/arm-result.ts'
import { verdictsOf } from '../../core/comparison/verdicts.ts'

export type Comparing = {
  readonly scenario: string
  readonly arms: readonly ArmName[]
  /** Plays one; `onProgress` gets 0 to 1. */
  readonly play: (arm: ArmName, onProgress: (ratio: number) => void) => Promise<ArmResult>
  /** How many at once. */
  readonly parallel: number
  /** Gets what is known so far, with the arms that are done. */
  readonly onProgress?: ((view: ComparisonView) => void) | undefined
}

export async function compareArms(comparing: Comparing): Promise<ComparisonView> {
  const { scenario, arms, play, parallel, onProgress } = comparing
  const results = new Map<ArmName, ArmResult>()
  const ratios = new Map<ArmName, number>()
  /** In the order that was asked for, whoever is done first. */
  const view = (): ComparisonView => {
    const done = arms.flatMap((arm) => results.get(arm) ?? [])
    return { scenario, arms: done, verdicts: verdictsOf(done) }
  }
  const tell = (): void => {
    const sum = [...ratios.values()].reduce((all, ratio) => all + ratio, 0)
    onProgress?.({ ...view(), progress: sum / arms.length })
  }
  const waiting = [...arms]
  const playOn = async (): Promise<void> => {
    for (let arm = waiting.shift(); arm !== undefined; arm = waiting.shift()) {
      const name = arm
      const result = await play(name, (ratio) => {
        ratios.set(name, ratio)
        tell()
      })
      results.set(name, result)
      ratios.set(name, 1)
      tell()
    }
  }
  await Promise.all(Array.from({ length: parallel }, playOn))
  return view()
}
