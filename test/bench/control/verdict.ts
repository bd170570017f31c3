/** Whether an addition to a law helps: paired over the same passes, with intervals. */
import { seededRandom } from '../../../src/core/random.ts'
import { meanOf, quantile } from '../statistics.ts'
import type { Outcome } from './pass.ts'

/** A ratio of geometric means, and where 95 of 100 resamplings of the pairs put it. */
export type Ratio = { readonly mean: number; readonly low: number; readonly high: number }

export type Verdict = {
  readonly p99: Ratio
  readonly quota: Ratio
  readonly helps: boolean
}

/** Within this nobody would tell the difference. */
const noMore = 1.005
const resamplings = 2000

export function judge(plain: readonly Outcome[], added: readonly Outcome[]): Verdict {
  const p99 = compare(plain.map(p99Of), added.map(p99Of))
  const quota = compare(
    plain.map(({ quotaCores }) => quotaCores),
    added.map(({ quotaCores }) => quotaCores),
  )
  const helps = (p99.high < 1 && quota.mean <= noMore) || (quota.high < 1 && p99.mean <= noMore)
  return { p99, quota, helps }
}

const p99Of = ({ latencies }: Outcome): number => quantile(latencies, 0.99) ?? NaN

/** Bootstrap over the pairs: no distribution is assumed. */
export function compare(plain: readonly number[], added: readonly number[]): Ratio {
  const logs = plain.map((value, i) => Math.log((added[i] ?? NaN) / value))
  const random = seededRandom(5)
  const means = Array.from({ length: resamplings }, () =>
    meanOf(logs.map(() => logs[Math.floor(random() * logs.length)] ?? NaN)),
  ).toSorted((a, b) => a - b)
  return {
    mean: Math.exp(meanOf(logs)),
    low: Math.exp(quantile(means, 0.025) ?? NaN),
    high: Math.exp(quantile(means, 0.975) ?? NaN),
  }
}
