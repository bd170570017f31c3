/** Random options of the kubelet's policies: few, so that they often go together. */
import { staticOptionNames } from '../../../src/core/cpu/static-policy/options.ts'
import type { Dice } from '../resize/pods.ts'

export type Options = Readonly<Record<string, boolean | number>>

/** Sometimes one that nobody knows, and then alone: Go goes through them in any order. */
export function makeStaticOptions(dice: Dice): Options {
  if (dice.chance(0.01)) return { 'full-cores': true }
  const chosen = staticOptionNames.filter(() => dice.chance(0.2))
  return Object.fromEntries(chosen.map((name) => [name, dice.chance(0.95)]))
}

export function makeTopologyOptions(dice: Dice): Options {
  if (dice.chance(0.01)) return { 'prefer-far-nodes': true }
  return {
    ...(dice.chance(0.4) && { 'prefer-closest-numa-nodes': dice.chance(0.9) }),
    ...(dice.chance(0.1) && { 'max-allowable-numa-nodes': dice.pick([7, 8, 12]) }),
  }
}
