/** What pods take of a node, as plain numbers: millicores of CPU, bytes or a count of the rest. */
import type { ResourceList } from '../../apis/pod.ts'
import { cappedBytesOf, parseCappedMillicores, parseQuantity } from '../../core/quantity.ts'
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

export function readAmounts(list: ResourceList | undefined): Charge {
  const amounts = new Map<string, number>()
  for (const [name, text] of Object.entries(list ?? {})) {
    amounts.set(
      name,
      name === 'cpu' ? parseCappedMillicores(text) : cappedBytesOf(parseQuantity(text)),
    )
  }
  return amounts
}

export function addCharge(to: Map<string, number>, charge: Charge, sign: 1 | -1 = 1): void {
  for (const [name, amount] of charge) to.set(name, (to.get(name) ?? 0) + sign * amount)
}
