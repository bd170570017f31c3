import { keyOfPod, type PodName } from '../../core/pod-name.ts'
/**
 * What a person wants to know of a node at a glance: who suffers, who holds most, what changed last. It
 * stands in the NodeMarket, so that a thousand nodes can be looked at without reading their pods.
 */
import type { Millicores, Millis } from '../../core/units.ts'
import { type Charge, suffers } from './charge.ts'

export type Highlights = {
  readonly sufferingPods: number
  /** The most first. */
  readonly holders: readonly { readonly pod: PodName; readonly held: Millicores }[]
  /** The newest first. */
  readonly changes: readonly Change[]
}

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
  const held = all.map(({ decision, standing }) => {
    const { namespace, name } = decision.pod
    return { pod: { namespace, name }, held: standing.used }
  })
  return {
    sufferingPods: all.filter(suffers).length,
    holders: held.toSorted(byAmountThenName).slice(0, HOLDERS),
    changes: last(),
  }
}

type Held = Highlights['holders'][number]

const byAmountThenName = (a: Held, b: Held): number =>
  b.held - a.held || (keyOfPod(a.pod) < keyOfPod(b.pod) ? -1 : 1)
