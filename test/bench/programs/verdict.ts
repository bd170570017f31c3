/** Ours against what was set as its aim before it was measured. */
import type { ArmSummary } from './summary.ts'

export type Verdict = {
  readonly scene: string
  readonly service: string
  readonly figure: string
  readonly value: number
  readonly aim: string
  readonly isMet: boolean
}

const aims = {
  /** Of weights set by hand at 100 : 1, which know who is who. */
  mostToByHand: 1.4,
  /** Of no limits: a burst waits longer, so there is more to gain. */
  mostToNoLimits: { steady: 0.5, bursts: 0.2 },
  leastBatch: 0.95,
}

type Named = {
  readonly ours: string
  readonly isBursty: (scene: string, service: string) => boolean
}

export const judge = (summaries: readonly ArmSummary[], { ours, isBursty }: Named): Verdict[] =>
  summaries
    .filter(({ arm }) => arm === ours)
    .flatMap((own) => {
      const { scene, service } = own
      const noLimits = summaries.find(
        (one) => one.arm === 'no limits' && one.scene === scene && one.service === service,
      )
      const { steady, bursts } = aims.mostToNoLimits
      return judgeOne(own, {
        noLimitsP99: noLimits?.p99,
        mostToNoLimits: isBursty(scene, service) ? bursts : steady,
      })
    })

type Beside = { readonly noLimitsP99: number | undefined; readonly mostToNoLimits: number }

/** What cannot be said, as the other arm was not run, is left out. */
function judgeOne(own: ArmSummary, { noLimitsP99, mostToNoLimits }: Beside): Verdict[] {
  const { scene, service, toByHand, batchToByHand } = own
  const toNoLimits = noLimitsP99 === undefined ? undefined : own.p99 / noLimitsP99
  const { mostToByHand, leastBatch } = aims
  const all = [
    { figure: 'p99 to by hand', value: toByHand, most: mostToByHand },
    { figure: 'p99 to no limits', value: toNoLimits, most: mostToNoLimits },
    { figure: 'batch to by hand', value: batchToByHand, least: leastBatch },
  ]
  return all.flatMap(({ figure, value, most, least }) => {
    if (value === undefined) return []
    const aim = most === undefined ? `at least ${least}` : `at most ${most}`
    const isMet = value <= (most ?? Infinity) && value >= (least ?? 0)
    return { scene, service, figure, value, aim, isMet }
  })
}
