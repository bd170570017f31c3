/** Why a node cannot take a pod, in the words of the real scheduler; none if it can. */
import { matchesNode } from '../nodes/node-requirements.ts'
import { unschedulableTaint } from '../nodes/node.ts'
import type { SimPodSpec } from '../nodes/pod.ts'
import { tolerates, untolerated } from '../nodes/tolerations.ts'
import type { NodeState } from './node-state.ts'

/** A list, not a map: it is gone through for every pod and node. */
type Amount = { readonly name: string; readonly amount: number }

type Refusals = {
  readonly reasons: readonly string[]
  /** Room could be made by taking other pods away. */
  readonly isForRoom: boolean
}

export function refusalsOf(
  { node, allocatable, used, pods }: NodeState,
  spec: SimPodSpec,
  asked: readonly Amount[],
): Refusals | undefined {
  if (node === undefined) return never('node(s) were unschedulable')
  const { tolerations = [] } = spec
  if (
    node.spec?.unschedulable &&
    !tolerates(tolerations, { key: unschedulableTaint, effect: 'NoSchedule' })
  ) {
    return never('node(s) were unschedulable')
  }
  if (node.spec?.taints !== undefined) {
    const taint = untolerated(tolerations, node.spec.taints)
    if (taint) return never('node(s) had untolerated taint(s)')
  }
  if (!matchesNode(spec, node)) return never("node(s) didn't match Pod's node affinity/selector")
  let short: string[] | undefined
  let isTooLarge = false
  if (pods.size + 1 > (allocatable.get('pods') ?? 0)) short = ['Too many pods']
  for (const { name, amount } of asked) {
    const all = allocatable.get(name) ?? 0
    if (amount + (used.get(name) ?? 0) <= all) continue
    short = [...(short ?? []), `Insufficient ${name}`]
    isTooLarge ||= amount > all
  }
  return short && { reasons: short, isForRoom: !isTooLarge }
}

const never = (reason: string): Refusals => ({ reasons: [reason], isForRoom: false })
