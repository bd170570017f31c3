/**
 * What a person wants to know of a node at a glance: who suffers, who is held back for them, who holds
 * most, what changed last. It stands in the NodeMarket, so that a thousand nodes can be looked at
 * without reading their pods.
 */
import { troubledBounds } from '../../apis/node-market-status.ts'
import { isHurt } from '../../core/enforcement/standing.ts'
import { throttledRatioOf } from '../../core/guardrail/throttle-window.ts'
import { keyOfPod, type PodName } from '../../core/pod-name.ts'
import { showMillicores } from '../../core/quantity.ts'
import type { Millicores, Millis } from '../../core/units.ts'
import { type Charge, holdingCeiling, suffers } from './charge.ts'

export type Highlights = {
  readonly sufferingPods: number
  /** The most first. */
  readonly holders: readonly { readonly pod: PodName; readonly held: Millicores }[]
  /** The newest first. */
  readonly changes: readonly Change[]
  /** Those that have for longest, first. */
  readonly suffering: readonly Troubled[]
  /** The largest first. */
  readonly heldBack: readonly HeldBack[]
}

/** A pod that a person should look at, and why. */
export type Troubled = { readonly pod: PodName; readonly reason: string }

/** By a quota, to protect others. */
type HeldBack = Troubled & { readonly to: Millicores }

/** What a pod was told: its request or, where its limit is its share, that. */
export type Change = {
  readonly pod: PodName
  /** By the wall clock. */
  readonly at: Millis
  readonly from: Millicores
  readonly to: Millicores
  readonly reason: string
}

/** Few: each costs in every list of all nodes. */
const HOLDERS = 3
const CHANGES = 2

export type ChangeLog = {
  readonly note: (change: Change) => void
  /** The newest first, one a pod. */
  readonly last: () => readonly Change[]
}

export function createChangeLog(): ChangeLog {
  let last: readonly Change[] = []
  return {
    note: (change) => {
      if (change.from === change.to) return
      const key = keyOfPod(change.pod)
      last = [change, ...last.filter(({ pod }) => keyOfPod(pod) !== key)].slice(0, CHANGES)
    },
    last: () => last,
  }
}

export function highlightsOf(charges: Iterable<Charge>, { last }: ChangeLog): Highlights {
  const all = [...charges]
  const held = all.map((charge) => ({ pod: nameOf(charge), held: charge.standing.used }))
  const sufferers = all.filter(suffers).toSorted(bySinceThenName)
  return {
    sufferingPods: sufferers.length,
    suffering: sufferers.slice(0, troubledBounds.most).map((charge) => ({
      pod: nameOf(charge),
      reason: whySuffering(charge),
    })),
    heldBack: heldBackIn(all, sufferers),
    holders: held.toSorted(byAmountThenName).slice(0, HOLDERS),
    changes: last(),
  }
}

const nameOf = ({ decision: { pod } }: Charge): PodName => ({
  namespace: pod.namespace,
  name: pod.name,
})

export function whySuffering(charge: Charge): string {
  const { verdict, waiting, window } = charge.standing
  const ceiling = holdingCeiling(charge)
  const held =
    ceiling === undefined ? '' : `; its own ceiling of ${showMillicores(ceiling)} holds it`
  if (verdict.state === 'late') {
    return `is late: its p99 is ${Number((verdict.slowRatio ?? 1).toPrecision(3))} times its target${held}`
  }
  return verdict.state === 'throttled'
    ? `is throttled in ${percent(throttledRatioOf(window))} of periods`
    : `waits for a CPU ${percent(waiting.waitedRatio)} of the time`
}

function heldBackIn(all: readonly Charge[], sufferers: readonly Charge[]): HeldBack[] {
  const held = all.flatMap((charge): Held[] => {
    const { heldTo } = charge.standing
    return heldTo === undefined ? [] : [{ pod: nameOf(charge), held: heldTo }]
  })
  if (held.length === 0) return []
  // Only who bids for its bursts has a latency target of its own.
  const [first, ...more] = sufferers.filter(
    (charge) =>
      holdingCeiling(charge) === undefined &&
      isHurt(charge.standing, charge.decision.pod.readyCores !== undefined),
  )
  const others = more.length === 0 ? '' : `, and for ${more.length} more`
  const reason =
    first === undefined
      ? 'to protect others; none of them suffers now, and it is let go step by step'
      : `to protect ${keyOfPod(nameOf(first))}, which ${whySuffering(first)}${others}`
  return held
    .toSorted(byAmountThenName)
    .slice(0, troubledBounds.most)
    .map(({ pod, held: to }) => ({ pod, to, reason }))
}

const percent = (ratio: number): string => `${Math.round(100 * ratio)} %`

type Held = Highlights['holders'][number]

const byAmountThenName = (a: Held, b: Held): number => b.held - a.held || byName(a.pod, b.pod)

const bySinceThenName = (a: Charge, b: Charge): number =>
  (a.standing.badSince ?? 0) - (b.standing.badSince ?? 0) || byName(nameOf(a), nameOf(b))

const byName = (a: PodName, b: PodName): number => (keyOfPod(a) < keyOfPod(b) ? -1 : 1)
