/** Random machines: sockets, NUMA nodes, caches, cores and threads, numbered in several ways. */
import type { CpuPlace } from '../../../src/core/cpu/topology.ts'
import type { Dice } from '../resize/pods.ts'

type Shape = {
  readonly sockets: number
  /** Of a socket; below 1, a node spans sockets. */
  readonly nodes: number
  /** Of a node. */
  readonly cores: number
  /** Of a node; below 1, a cache spans nodes. */
  readonly caches: number
  readonly threads: number
}

/** Those that real machines have, up to 8 NUMA nodes and 384 CPUs. */
const large: readonly Shape[] = [
  { sockets: 2, nodes: 4, cores: 24, caches: 3, threads: 2 },
  { sockets: 2, nodes: 4, cores: 16, caches: 1, threads: 1 },
  { sockets: 8, nodes: 1, cores: 16, caches: 1, threads: 2 },
  { sockets: 2, nodes: 1, cores: 32, caches: 4, threads: 2 },
  { sockets: 1, nodes: 4, cores: 16, caches: 2, threads: 2 },
]

/** With more NUMA nodes the kubelet's Topology Manager does not start. */
const MOST_NODES = 8

function makeShape(dice: Dice): Shape {
  const sockets = dice.pick([1, 1, 2, 2, 3, 4])
  return {
    sockets,
    nodes: Math.min(dice.pick([0.5, 1, 1, 1, 2, 2, 4]), Math.floor(MOST_NODES / sockets)),
    cores: dice.pick([1, 2, 3, 4, 4, 6, 8]),
    caches: dice.pick([0.5, 1, 1, 2, 3]),
    threads: dice.pick([1, 2, 2, 2, 4]),
  }
}

/** Most are whole; of some, single CPUs are offline. */
export function makePlaces(dice: Dice, largeRatio: number): CpuPlace[] {
  const places = placesOf(dice.chance(largeRatio) ? dice.pick(large) : makeShape(dice), dice)
  if (dice.chance(0.85)) return places
  const online = places.filter(() => dice.chance(0.85))
  return online.length === 0 ? places : online
}

export function makeManyNodes(dice: Dice): CpuPlace[] {
  const [sockets = 1, nodes = 1] = dice.pick([
    [1, 5],
    [2, 3],
    [2, 4],
    [8, 1],
  ])
  return placesOf({ ...makeShape(dice), sockets, nodes, cores: dice.pick([1, 2, 3, 4]) }, dice)
}

function placesOf({ sockets, nodes, cores, caches, threads }: Shape, dice: Dice): CpuPlace[] {
  const nodeCount = Math.max(1, Math.round(sockets * nodes))
  const coreCount = nodeCount * cores
  const cpus = dice.pick(orders)(coreCount * threads, { coreCount, threads, dice })
  const gap = dice.chance(0.05) ? 8 : 1 // between the ids of nodes, as on some POWER machines
  return cpus.map((cpu, i) => {
    const core = Math.floor(i / threads)
    const node = Math.floor(core / cores)
    return {
      cpu,
      core,
      uncore: Math.floor((core * caches) / cores),
      numa: node * gap,
      // A node over two sockets has half of its cores in each.
      socket: nodes < 1 ? Math.floor((core * sockets) / coreCount) : Math.floor(node / nodes),
    }
  })
}

type Numbering = (
  count: number,
  at: { readonly coreCount: number; readonly threads: number; readonly dice: Dice },
) => number[]

/** The id of each CPU, where threads of a core follow each other. */
const orders: readonly Numbering[] = [
  (count) => Array.from({ length: count }, (_, i) => i),
  // As most firmware: first one thread of every core, then the next.
  (count, { coreCount, threads }) =>
    Array.from({ length: count }, (_, i) => Math.floor(i / threads) + coreCount * (i % threads)),
  (count, { dice }) =>
    Array.from({ length: count }, (_, id) => ({ id, at: dice.below(2 ** 30) }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ id }) => id),
]

/** Mostly as firmware reports them: 10 to itself, near ones in the same half. */
export function makeDistances(count: number, dice: Dice): number[][] {
  const isOdd = dice.chance(0.2)
  return Array.from({ length: count }, (_, row) =>
    Array.from({ length: count }, (_, column) => {
      if (row === column) return 10
      if (isOdd) return dice.pick([11, 12, 21, 32])
      return Math.floor((2 * row) / count) === Math.floor((2 * column) / count) ? 12 : 32
    }),
  )
}
