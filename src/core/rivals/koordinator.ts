/**
 * Koordinator's CPU burst law: the quota grows while there is throttling and the node has room.
 *
 * Objective: no throttling beside idle CPUs, within three times the limit. Method, once a second: any
 * throttled period x 1.2; burst tokens spent x 0.8; share pool at 50 % or more x 0.8, from 45 % or
 * unknown no growth; always within [limit, 3 limit]. It never shrinks while the node is idle. Tokens,
 * if limited at all (not by default): use above the limit spends the excess, use below 60 % saves
 * what is left; the bucket holds `burstSeconds` of the largest burst and starts filled at random, up
 * to a half. The kernel's burst is the quota: ten limits are asked for, a mainline kernel refuses more
 * than the quota. O(1) a sample.
 *
 * Reference: koordinator 1.8.0, koordlet's qosmanager/plugins/cpuburst (shared facts, CPU, part 3).
 *
 *   limit 100m, quota   throttled  share pool      quota
 *   100m                yes        10 %        ->  120m     and 300m after 7 s
 *   300m                no         10 %        ->  300m
 *   300m                yes        50 %        ->  240m
 */
import { millis } from '../units.ts'
import { type Law, type Sample, toMillicores } from './law.ts'

const RAISE = 1.2
const CUT = 0.8
const CEILING_RATIO = 3
const POOL_FULL_RATIO = 0.5
const POOL_COOLING_RATIO = 0.9 * POOL_FULL_RATIO
const SPENDS_FROM_RATIO = 1
const SAVES_BELOW_RATIO = 0.6

export type KoordinatorOptions = {
  /** How long the largest burst may last; without, for ever. */
  readonly burstSeconds?: number
  /** Of the bucket at the start, 0 to 0.5: drawn by the caller. */
  readonly filledRatio?: number
}

export type KoordinatorState = {
  readonly limitCores: number
  readonly quotaCores: number
  /** Seconds of one limit above the limit; may fall below 0. */
  readonly tokens: number
}

export function koordinator(options: KoordinatorOptions = {}): Law<KoordinatorState> {
  const { burstSeconds = Infinity, filledRatio = 0 } = options
  const capacity = burstSeconds * (CEILING_RATIO - 1)
  return {
    name: 'Koordinator',
    every: millis(1000),
    burstRatio: 1,
    start: (limit) => ({
      limitCores: limit / 1000,
      quotaCores: limit / 1000,
      tokens: capacity === Infinity ? Infinity : capacity * filledRatio,
    }),
    decide(state, sample) {
      const tokens = countTokens({ ...state, capacity }, sample)
      const { factor, reason } = choose(sample, tokens)
      const { limitCores } = state
      const quotaCores = Math.max(
        limitCores,
        Math.min(state.quotaCores * factor, CEILING_RATIO * limitCores),
      )
      return {
        state: { limitCores, quotaCores, tokens },
        quota: toMillicores(quotaCores),
        request: toMillicores(limitCores),
        reason,
      }
    },
  }
}

type Bucket = KoordinatorState & { readonly capacity: number }

function countTokens({ tokens, limitCores, capacity }: Bucket, sample: Sample): number {
  if (capacity === Infinity) return tokens
  const used = sample.usageCores / limitCores
  const counts = used >= SPENDS_FROM_RATIO || used < SAVES_BELOW_RATIO
  const saved = counts ? (1 - used) * sample.seconds : 0
  return Math.max(-capacity, Math.min(tokens + saved, capacity))
}

function choose(
  { throttledPeriods, sharePoolRatio }: Sample,
  tokens: number,
): { readonly factor: number; readonly reason: string } {
  if (tokens <= 0) return { factor: CUT, reason: 'its burst tokens are spent' }
  if (sharePoolRatio !== undefined && sharePoolRatio >= POOL_FULL_RATIO) {
    return { factor: CUT, reason: 'half of the share pool is in use' }
  }
  if (throttledPeriods === 0) return { factor: 1, reason: 'not throttled' }
  if (sharePoolRatio === undefined) return { factor: 1, reason: 'throttled, share pool unknown' }
  if (sharePoolRatio >= POOL_COOLING_RATIO) {
    return { factor: 1, reason: 'throttled, share pool nearly half in use' }
  }
  return { factor: RAISE, reason: `throttled in ${throttledPeriods} periods` }
}
