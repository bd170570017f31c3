/**
 * Merges hints by trying every way to take one of each resource, as the kubelet does: hints to the
 * power of resources. Policies best-effort and restricted, without distances. A rival, and a check.
 */
import type { Hint } from '../../../src/core/cpu/hint.ts'

type Choice = { readonly mask: number; readonly count: number; readonly preferred: boolean }

export function mergePlainly(lists: readonly (readonly Hint[])[], nodeCount: number): Hint {
  const all = 2 ** nodeCount - 1
  const masks = lists.map((list) =>
    list.map(({ affinity, preferred }) => ({
      mask: (affinity ?? []).reduce((mask, node) => mask | (1 << node), 0),
      preferred,
    })),
  )
  const wanted = Math.max(
    ...masks.map((list) => Math.min(...list.map(({ mask }) => countBits(mask)))),
  )
  let best: Choice | undefined
  const extend = (depth: number, mask: number, common: number, preferred: boolean): void => {
    const list = masks[depth]
    if (list === undefined) {
      const choice = { mask, count: countBits(mask), preferred }
      if (choice.count > 0 && (best === undefined || isBetter(choice, best, wanted))) best = choice
      return
    }
    for (const hint of list) {
      const agrees = common === -1 || common === hint.mask
      extend(depth + 1, mask & hint.mask, hint.mask, preferred && hint.preferred && agrees)
    }
  }
  extend(0, all, -1, true)
  const { mask, preferred } = best ?? { mask: all, preferred: false }
  const affinity = Array.from({ length: nodeCount }, (_, node) => node)
  return { affinity: affinity.filter((node) => (mask & (1 << node)) !== 0), preferred }
}

function isBetter(a: Choice, b: Choice, wanted: number): boolean {
  if (a.preferred !== b.preferred) return a.preferred
  const isNarrower = a.count === b.count ? a.mask < b.mask : a.count < b.count
  if (a.preferred || b.count > wanted) return isNarrower
  if (b.count === wanted) return a.count === wanted && isNarrower
  if (a.count > wanted) return false
  return a.count === b.count ? isNarrower : a.count > b.count
}

function countBits(mask: number): number {
  let count = 0
  for (let bit = mask; bit > 0; bit >>= 1) count += bit & 1
  return count
}
