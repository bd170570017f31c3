/** What pods take of a node, as plain numbers: millicores of CPU, bytes or a count of the rest. */
import type { ResourceList } from '../../apis/pod.ts'
import { parseBytes, parseMillicores } from '../../core/quantity.ts'
import { type AskingPod, countOf, cpuOf, podRequests } from '../apiserver/kinds/pod/resources.ts'

export type Charge = ReadonlyMap<string, number>

/** With what the status says of a resize under way: the largest of desired, allocated and actual. */
export function chargeOf(pod: AskingPod): Charge {
  const amounts = podRequests(pod)
  const charge = new Map<string, number>()
  for (const name of amounts.keys()) {
    charge.set(name, name === 'cpu' ? cpuOf(amounts) : countOf(amounts, name))
  }
  return charge
}

/** What no number can hold is as much as a number can: nobody can ask for more. */
function readAmount(name: string, text: string): number {
  try {
    return name === 'cpu' ? parseMillicores(text) : parseBytes(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return Number.MAX_SAFE_INTEGER
  }
}

export function readAmounts(list: ResourceList | undefined): Charge {
  const amounts = new Map<string, number>()
  for (const [name, text] of Object.entries(list ?? {})) {
    amounts.set(name, readAmount(name, text))
  }
  return amounts
}

export function addCharge(to: Map<string, number>, charge: Charge, sign: 1 | -1 = 1): void {
  for (const [name, amount] of charge) to.set(name, (to.get(name) ?? 0) + sign * amount)
}
