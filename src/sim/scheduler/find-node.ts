/** Filter and score: the best node for a pod, or why there is none. */
import type { Charge } from '../nodes/charge.ts'
import { chargeOf } from '../nodes/charge.ts'
import type { SimPod } from '../nodes/pod.ts'
import { constraintsOf } from './constraints.ts'
import type { Extender } from './extender.ts'
import { refusalsOf } from './filters.ts'
import type { ClusterState, NodeState } from './node-state.ts'
import { scoreOf } from './score.ts'

export type Found =
  | { readonly state: NodeState; readonly next: number }
  | {
      readonly state: undefined
      /** On how many nodes each holds. */
      readonly reasons: ReadonlyMap<string, number>
      /** Nodes that would do without some of their pods. */
      readonly forRoom: readonly NodeState[]
      readonly asked: Charge
    }

const fewest = 100

/** Of many nodes only so many feasible ones are looked for, as by the real scheduler. */
export function nodesToFind(all: number): number {
  if (all < fewest) return all
  const percent = Math.max(5, 50 - Math.floor(all / 125))
  return Math.max(fewest, Math.floor((all * percent) / 100))
}

export function findNode(at: {
  readonly pod: SimPod
  readonly cluster: ClusterState
  /** In the order of names. */
  readonly order: readonly NodeState[]
  /** Where the last search ended. */
  readonly from: number
  readonly extenders: readonly Extender[]
}): Found {
  const { pod, cluster, order, from, extenders } = at
  const asked = chargeOf(pod)
  const amounts = [...asked].flatMap(([name, amount]) => (amount === 0 ? [] : [{ name, amount }]))
  const constraints = constraintsOf(pod, cluster)
  const reasons = new Map<string, number>()
  const note = (reason: string) => reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  const forRoom: NodeState[] = []
  let feasible: NodeState[] = []
  let visited = 0
  const enough = nodesToFind(order.length)
  while (visited < order.length && feasible.length < enough) {
    const state = order[(from + visited) % order.length]
    visited += 1
    if (state === undefined) continue
    const refusals = refusalsOf(state, pod.spec, amounts)
    if (refusals !== undefined) {
      refusals.reasons.forEach(note)
      if (refusals.isForRoom) forRoom.push(state)
      continue
    }
    const broken = firstBroken(state)
    if (broken === undefined) feasible.push(state)
    else note(broken)
  }
  function firstBroken(state: NodeState): string | undefined {
    for (const constraint of constraints) {
      const reason = constraint(state)
      if (reason !== undefined) return reason
    }
    return undefined
  }

  for (const { filter } of extenders) {
    if (filter === undefined || feasible.length === 0) continue
    const { fits, reasons: why } = filter(pod, nodesOf(feasible))
    for (const { name } of feasible) {
      if (!fits.has(name)) note(why.get(name) ?? 'node(s) were refused by an extender')
    }
    feasible = feasible.filter(({ name }) => fits.has(name))
  }
  const state = best({ pod, asked, feasible, extenders })
  return state === undefined
    ? { state, reasons, forRoom, asked }
    : { state, next: (from + visited) % order.length }
}

const nodesOf = (states: readonly NodeState[]) =>
  states.flatMap(({ node }) => (node === undefined ? [] : [node]))

function best(at: {
  readonly pod: SimPod
  readonly asked: Charge
  readonly feasible: readonly NodeState[]
  readonly extenders: readonly Extender[]
}): NodeState | undefined {
  const { pod, asked, feasible, extenders } = at
  const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller)?.uid
  const { tolerations = [] } = pod.spec
  const scored = {
    cpu: asked.get('cpu') ?? 0,
    memory: asked.get('memory') ?? 0,
    owner,
    tolerations,
  }
  const extra = extenders.flatMap(({ score }) => (score ? [score(pod, nodesOf(feasible))] : []))
  let winner: NodeState | undefined
  let most = -Infinity
  for (const state of feasible) {
    let score = scoreOf(state, scored)
    for (const points of extra) score += points.get(state.name) ?? 0
    const isBetter = score > most || (score === most && winner && state.name < winner.name)
    if (!isBetter) continue
    winner = state
    most = score
  }
  return winner
}
