/**
 * One choice of NUMA nodes from the hints of all providers, equal to that of the kubelet's Topology
 * Manager (KEP-693; k8s.io/kubernetes 1.36, pkg/kubelet/cm/topologymanager).
 *
 * Objective: of all ways to take one hint from each resource, whose common nodes are the choice, the
 * best. A choice is preferred if every hint taken is, and all of them name the same nodes. Best is a
 * preferred choice with the fewest nodes; failing that, one with as many nodes as the resource needs
 * that needs most, or else fewer, as many as can be, or else more, as few as can be. Of equally many
 * nodes the closest (if asked for), then those with the lowest ids.
 *
 *   cpu             memory        choice           why
 *   {0}* {1}*       {1}*          {1} preferred    the only one that both prefer
 *   {0}* {0,1}      {1}*          {1}              {0,1} with {1}; nothing is preferred by both
 *   {0}*            {1}*          {0,1}            no common node: all of them, not preferred
 *
 * Method: the kubelet tries all combinations, 255^4 of them for four resources on eight nodes. That
 * order of choices is total, so who comes first does not matter, and two small sets hold all that can
 * win: the nodes that every resource prefers, and the distinct intersections, built a resource at a
 * time. At most 2^n masks on n nodes: O(resources * hints * 2^n) instead of O(hints ^ resources).
 */
import { InvalidInput } from '../../errors.ts'
import { cpuSet } from '../cpu-set.ts'
import {
  countNodes,
  type Hint,
  type HintList,
  maskOf,
  MOST_MASKED_NODES,
  type NodeMask,
  nodesIn,
  type ProviderHints,
} from '../hint.ts'
import type { TopologySettings } from './settings.ts'

export type Merged = { readonly hint: Hint; readonly admit: boolean }

/** A hint with its nodes as a mask; null: any. */
type Choice = { readonly mask: NodeMask | null; readonly preferred: boolean }

export function mergeHints(
  providers: readonly (ProviderHints | null)[],
  { policy, numaNodes, distances }: TopologySettings,
): Merged {
  if (policy === 'none') return { hint: { affinity: null, preferred: false }, admit: true }
  const lists = providers.flatMap(listsOf)
  // A hint may name nodes that the machine lacks: they count as its nodes, but are never chosen.
  const named = lists.flatMap((list) => list.flatMap(({ affinity }) => affinity ?? []))
  const nodes = cpuSet([...numaNodes, ...named])
  if (nodes.length > MOST_MASKED_NODES) {
    throw new InvalidInput(
      `merging hints: expected at most ${MOST_MASKED_NODES} NUMA nodes, got ${nodes.length}`,
    )
  }
  const isSingle = policy === 'single-numa-node'
  const hint = chooseBest(
    lists.map((list) => choicesOf(list, nodes).filter((one) => !isSingle || isOneNode(one))),
    {
      all: maskOf(numaNodes, nodes),
      distanceOf:
        distances === undefined || isSingle ? () => 0 : distanceIn(nodes, { numaNodes, distances }),
    },
  )
  const isUnbound = isSingle && hint.mask === maskOf(numaNodes, nodes)
  return {
    hint: {
      affinity: isUnbound ? null : nodesIn(hint.mask, nodes),
      preferred: hint.preferred,
    },
    admit: policy === 'best-effort' || hint.preferred,
  }
}

const anyNode: Hint = { affinity: null, preferred: true }
const noNode: Hint = { affinity: null, preferred: false }

/** A list for each resource; a provider without any does not care. */
function listsOf(provider: ProviderHints | null): (readonly Hint[])[] {
  const lists = Object.values(provider ?? {})
  return lists.length === 0 ? [[anyNode]] : lists.map(hintsOf)
}

function hintsOf(list: HintList): readonly Hint[] {
  if (list === null) return [anyNode]
  return list.length === 0 ? [noNode] : list
}

const choicesOf = (list: readonly Hint[], nodes: readonly number[]): Choice[] =>
  list.map(({ affinity, preferred }) => ({
    mask: affinity === null ? null : maskOf(affinity, nodes),
    preferred,
  }))

const isOneNode = ({ mask, preferred }: Choice): boolean =>
  preferred && (mask === null || countNodes(mask) === 1)

type Order = {
  readonly all: NodeMask
  readonly distanceOf: (mask: NodeMask) => number
}

function chooseBest(
  lists: readonly (readonly Choice[])[],
  { all, distanceOf }: Order,
): { readonly mask: NodeMask; readonly preferred: boolean } {
  const agreed = leastOf(preferredByAll(lists, all), [countNodes, distanceOf])
  if (agreed !== undefined) return { mask: agreed, preferred: true }
  const wanted = mostNeeded(lists)
  const gapOf = (mask: NodeMask): number => {
    const count = countNodes(mask)
    return count <= wanted ? wanted - count : MOST_MASKED_NODES + count
  }
  const common = leastOf(intersections(lists, all), [gapOf, distanceOf])
  return { mask: common ?? all, preferred: false }
}

function preferredByAll(lists: readonly (readonly Choice[])[], all: NodeMask): NodeMask[] {
  const masks = lists.map((list) => new Set(list.filter(isPreferred).map(({ mask }) => mask)))
  const named = new Set(masks.flatMap((set) => [...set]).filter((mask) => mask !== null))
  const agreed = [...named].filter((mask) => masks.every((set) => set.has(mask) || set.has(null)))
  if (masks.every((set) => set.has(null))) agreed.push(all)
  return agreed.map((mask) => mask & all)
}

const isPreferred = ({ preferred }: Choice): boolean => preferred

function intersections(lists: readonly (readonly Choice[])[], all: NodeMask): Set<NodeMask> {
  let reached = new Set([all])
  for (const list of lists) {
    const masks = new Set(list.map(({ mask }) => mask ?? all))
    const next = new Set<NodeMask>()
    for (const before of reached) for (const mask of masks) next.add(before & mask)
    next.delete(0)
    reached = next
  }
  return reached
}

/** Nodes of the narrowest hint of the resource whose narrowest is the widest. */
function mostNeeded(lists: readonly (readonly Choice[])[]): number {
  let most = 0
  for (const list of lists) {
    let fewest = Infinity
    for (const { mask } of list) if (mask !== null) fewest = Math.min(fewest, countNodes(mask))
    if (fewest !== Infinity) most = Math.max(most, fewest)
  }
  return most
}

/** By the first measure, then the next, then the lowest ids; none of no nodes. */
function leastOf(
  masks: Iterable<NodeMask>,
  measures: readonly ((mask: NodeMask) => number)[],
): NodeMask | undefined {
  let best: readonly number[] = []
  for (const mask of masks) {
    if (mask === 0) continue
    const measured = [...measures.map((measure) => measure(mask)), mask]
    if (best.length === 0 || isBefore(measured, best)) best = measured
  }
  return best.at(-1)
}

function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const differing = a.findIndex((value, i) => value !== b[i])
  return differing >= 0 && (a[differing] as number) < (b[differing] as number)
}

/**
 * The sum over all pairs orders masks of equally many nodes as the average does. The kubelet looks
 * for a node's distance at its id, also where ids have gaps; there it finds none, and we go by order.
 */
function distanceIn(
  nodes: readonly number[],
  { numaNodes, distances }: Required<Pick<TopologySettings, 'numaNodes' | 'distances'>>,
): (mask: NodeMask) => number {
  const distance = (from: number, to: number): number => {
    const row = distances[numaNodes.indexOf(from)] ?? []
    return row[to] ?? row[numaNodes.indexOf(to)] ?? 0
  }
  const known = new Map<NodeMask, number>()
  return (mask) => {
    let sum = known.get(mask)
    if (sum !== undefined) return sum
    const ids = nodesIn(mask, nodes)
    sum = 0
    for (const from of ids) for (const to of ids) sum += distance(from, to)
    known.set(mask, sum)
    return sum
  }
}
