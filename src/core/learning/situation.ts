/**
 * What a learned policy sees of a pod, and how well that is.
 *
 * All is in ratios, so that what was learnt from one pod holds for another: demand over allocation,
 * what it waited of the time that it wanted to run, p99 latency over its target. A situation is one of 60.
 *
 * The reward is what is lost, so at most 0: latency beyond the target, waiting, and allocation
 * that demand does not need.
 *
 *   demand  allocation  waited     latency      situation              reward
 *   0.10    0.12        0          unknown  ->  0.7-0.85/none/unknown  -0.17   slack
 *   0.10    0.10        0.3        unknown  ->  from 1/much/unknown    -1.20   waits
 *   0.10    0.20        0          1.5      ->  0.5-0.7/none/late      -1.50   slack and late
 */
import { WAITED_RATIO } from '../guardrail/signals.ts'

export type Situation = {
  readonly demandCores: number
  readonly allocationCores: number
  readonly waitedRatio: number
  /** p99 over its target; undefined where there is none. */
  readonly latencyRatio?: number | undefined
}

const LOADS = [
  { name: 'below 0.5', below: 0.5 },
  { name: '0.5-0.7', below: 0.7 },
  { name: '0.7-0.85', below: 0.85 },
  { name: '0.85-1', below: 1 },
  { name: 'from 1', below: Infinity },
] as const
const WAITINGS = [
  { name: 'none', below: Number.MIN_VALUE },
  { name: 'some', below: WAITED_RATIO },
  { name: 'much', below: Infinity },
] as const
const LATENCIES = [
  { name: 'fast', below: 0.8 },
  { name: 'near', below: 1 },
  { name: 'late', below: Infinity },
] as const
const UNKNOWN_LATENCY = 'unknown'

type Band = { readonly name: string; readonly below: number }

const nameOf = (bands: readonly Band[], value: number): string =>
  (bands.find(({ below }) => value < below) ?? bands[bands.length - 1])?.name ?? ''

export function situationName(situation: Situation): string {
  const { waitedRatio, latencyRatio } = situation
  const load = nameOf(LOADS, loadOf(situation))
  const latency = latencyRatio === undefined ? UNKNOWN_LATENCY : nameOf(LATENCIES, latencyRatio)
  return `${load}/${nameOf(WAITINGS, waitedRatio)}/${latency}`
}

export const situationNames: ReadonlySet<string> = new Set(
  LOADS.flatMap((load) =>
    WAITINGS.flatMap((waiting) =>
      [UNKNOWN_LATENCY, ...LATENCIES.map(({ name }) => name)].map(
        (latency) => `${load.name}/${waiting.name}/${latency}`,
      ),
    ),
  ),
)

/** Waiting for a quarter of the time weighs as much as an allocation of which all is slack. */
const WAITING_WEIGHT = 4
/** A p99 of twice the target weighs twice as much as that. */
const LATENCY_WEIGHT = 2
const COST_WEIGHT = 1
/** Latency of a queue knows no bound; what is learnt from one sample should. */
const WORST_LATENCY_RATIO = 3

export function rewardOf(situation: Situation): number {
  const { waitedRatio, latencyRatio = 0 } = situation
  const late = Math.max(0, Math.min(latencyRatio, WORST_LATENCY_RATIO) - 1)
  const slack = Math.max(0, 1 - loadOf(situation))
  return -LATENCY_WEIGHT * late - WAITING_WEIGHT * waitedRatio - COST_WEIGHT * slack
}

const loadOf = ({ demandCores, allocationCores }: Situation): number =>
  allocationCores > 0 ? demandCores / allocationCores : Infinity
