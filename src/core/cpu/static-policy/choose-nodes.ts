/** Which NUMA nodes give equal shares, and which of them the rest: see take-distributed.ts. */
import { visitCombinations } from './combinations.ts'
import { orderOf, type Selection } from './selection.ts'

export type Choice = {
  /** Each gives an even share. */
  readonly nodes: readonly number[]
  /** These give what is left over, a group each in turn. */
  readonly extra: readonly number[]
}

type Room = {
  /** With a free CPU, each once. */
  readonly nodes: readonly number[]
  /** By node. */
  readonly free: Int32Array
  readonly count: number
  readonly groupSize: number
}

type Judged = { readonly balance: number; readonly extra: readonly number[] }

/** In whole groups. */
export const evenShare = (given: { count: number; nodes: number; groupSize: number }): number =>
  Math.floor(Math.floor(given.count / given.nodes) / given.groupSize) * given.groupSize

export function chooseNodes(selection: Selection, groupSize: number): Choice | undefined {
  const { topology, freeIn, needed } = selection
  const order = orderOf(selection, 'numa')
  const nodes = [...new Set(order)]
  const room = { nodes, free: freeIn.numa, count: needed, groupSize }
  const groups = Math.ceil(topology.cpus.length / groupSize)
  const groupsOfNode = Math.ceil(groups / topology.numa.ids.length)
  const fewest = Math.ceil(needed / groupSize / groupsOfNode)
  const most = Math.min(needed / groupSize, nodes.length)
  for (let size = fewest; size <= most; size++) {
    const choice = bestOfSize(room, order, size)
    if (choice !== undefined) return choice
  }
  return undefined
}

function bestOfSize(room: Room, order: readonly number[], size: number): Choice | undefined {
  let best: Choice | undefined
  let balance = Infinity
  visitCombinations(order, size, (nodes) => {
    if (balance === 0) return 'stop'
    const judged = judge(room, nodes)
    if (judged !== undefined && judged.balance < balance) {
      balance = judged.balance
      best = { nodes, extra: judged.extra }
    }
    return 'go on'
  })
  return best
}

/** Nothing, if these nodes cannot give equal shares and the rest. */
function judge(
  { nodes, free, count, groupSize }: Room,
  chosen: readonly number[],
): Judged | undefined {
  const share = evenShare({ count, nodes: chosen.length, groupSize })
  // A node that reaches into two sockets is listed, and can be chosen, twice.
  const together = [...new Set(chosen)].reduce((sum, node) => sum + (free[node] as number), 0)
  if (together < count) return undefined
  const left = Int32Array.from(free)
  let groups = 0
  for (const node of chosen) {
    const has = free[node] as number
    if (has < share) return undefined
    groups += Math.floor(has / groupSize)
    left[node] = (left[node] as number) - share
  }
  if (groups * groupSize < count) return undefined
  const rest = count - share * chosen.length
  if (rest === 0) return { balance: deviationOf(nodes, left), extra: [] }
  return judgeRest({ nodes, free: left, count: rest, groupSize }, chosen)
}

/** Who gives the rest: as many nodes as possible are tried first, so of equals they win. */
function judgeRest(room: Room, chosen: readonly number[]): Judged | undefined {
  const { nodes, free, groupSize } = room
  const candidates = chosen.filter((node) => (free[node] as number) >= groupSize)
  let best: Judged | undefined
  for (let size = candidates.length; size >= 1; size--) {
    visitCombinations(candidates, size, (extra) => {
      const left = giveInTurn(room, extra)
      if (left === undefined) return 'go on'
      const balance = deviationOf(nodes, left)
      if (best === undefined || balance < best.balance) best = { balance, extra }
      return 'go on'
    })
  }
  return best
}

/** What stays free; nothing, if they have too little, or not in whole groups (where the kubelet hangs). */
function giveInTurn(
  { free, count, groupSize }: Room,
  from: readonly number[],
): Int32Array | undefined {
  const left = Int32Array.from(free)
  let rest = count
  while (rest > 0) {
    const restBefore = rest
    for (const node of from) {
      const has = left[node] as number
      if (rest === 0 || has < groupSize) continue
      left[node] = has - groupSize
      rest -= groupSize
    }
    if (rest === restBefore) return undefined
  }
  return left
}

/** Mean and deviation are rounded to thousandths: what differs by less is equal, and the first wins. */
function deviationOf(nodes: readonly number[], free: Int32Array): number {
  const counts = nodes.map((node) => free[node] as number)
  const mean = thousandths(counts.reduce((sum, count) => sum + count, 0) / counts.length)
  const squares = counts.reduce((sum, count) => sum + (count - mean) * (count - mean), 0)
  return thousandths(Math.sqrt(squares / counts.length))
}

const thousandths = (value: number): number => Math.round(value * 1000) / 1000
