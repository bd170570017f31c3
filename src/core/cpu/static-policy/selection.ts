/**
 * CPUs on the way to being taken: which are free, how many of each core, cache, NUMA node and socket,
 * which are taken and how many are still needed. Groups and CPUs are positions, see `Grouping`.
 */
import type { CpuSet } from '../cpu-set.ts'
import { type CpuTopology, type Level, levels } from '../topology.ts'

export type Selection = {
  readonly topology: CpuTopology
  readonly isFree: Uint8Array
  readonly isTaken: Uint8Array
  /** By group. */
  readonly freeIn: Readonly<Record<Level, Int32Array>>
  freeCount: number
  /** Below 0 where the kubelet takes more than was asked for. */
  needed: number
}

/** CPUs that the machine lacks are left out. */
export function startSelection(
  topology: CpuTopology,
  available: CpuSet,
  needed: number,
): Selection {
  const isFree = new Uint8Array(topology.cpus.length)
  for (const cpu of available) {
    const position = topology.positionOf.get(cpu)
    if (position !== undefined) isFree[position] = 1
  }
  return selectionOf(topology, isFree, needed)
}

/** A selection of its own among the CPUs of one NUMA node that are free in this one. */
export function selectWithin(selection: Selection, node: number, needed: number): Selection {
  const isFree = new Uint8Array(selection.isFree.length)
  for (const position of freeMembers(selection, 'numa', node)) isFree[position] = 1
  return selectionOf(selection.topology, isFree, needed)
}

function selectionOf(topology: CpuTopology, isFree: Uint8Array, needed: number): Selection {
  const counts = (level: Level) => new Int32Array(topology[level].ids.length)
  const freeIn = {
    core: counts('core'),
    uncore: counts('uncore'),
    numa: counts('numa'),
    socket: counts('socket'),
  }
  const isTaken = new Uint8Array(isFree.length)
  const selection = { topology, isFree, isTaken, freeIn, freeCount: 0, needed }
  for (let position = 0; position < isFree.length; position++) {
    if (isFree[position] === 1) count(selection, position, 1)
  }
  return selection
}

function count(selection: Selection, position: number, change: 1 | -1): void {
  selection.freeCount += change
  for (const level of levels) {
    const group = selection.topology[level].groupOf[position] as number
    const free = selection.freeIn[level]
    free[group] = (free[group] as number) + change
  }
}

/**
 * Counts every CPU as one less to find, also one that was not free: on machines whose sockets or
 * cores differ in size the kubelet's rules can name such, and it counts them so.
 */
export function take(selection: Selection, positions: readonly number[]): void {
  for (const position of positions) {
    if (selection.isFree[position] === 1) count(selection, position, -1)
    selection.isFree[position] = 0
    selection.isTaken[position] = 1
  }
  selection.needed -= positions.length
}

export const takenCpus = ({ topology, isTaken }: Selection): CpuSet =>
  topology.cpus.filter((_, position) => isTaken[position] === 1)

/** Positions, ascending. */
export const takenPositions = ({ isTaken }: Selection): number[] => {
  const positions: number[] = []
  for (const [position, taken] of isTaken.entries()) if (taken === 1) positions.push(position)
  return positions
}

export const freeMembers = (
  { topology, isFree }: Selection,
  level: Level,
  group: number,
): number[] => (topology[level].members[group] ?? []).filter((position) => isFree[position] === 1)

/** Which of NUMA nodes and sockets is the wider level: the one of which there are fewer. */
export const wideLevels = ({
  socket,
  numa,
}: CpuTopology): readonly ['numa' | 'socket', 'numa' | 'socket'] =>
  socket.ids.length >= numa.ids.length ? ['numa', 'socket'] : ['socket', 'numa']

/**
 * The groups of a level that have a free CPU, as the kubelet looks at them: parent by parent, and
 * of one parent those with the fewest free CPUs first, then by id. A group that reaches into two
 * parents comes twice.
 */
export function orderOf(selection: Selection, level: Level): number[] {
  const parent = parentOf(selection.topology, level)
  if (parent === undefined) return sortByFree(selection, level, groupsWithFree(selection, level))
  return orderOf(selection, parent).flatMap((group) => {
    const positions = selection.topology[parent].members[group] ?? []
    return sortByFree(selection, level, groupsTouched(selection, level, positions))
  })
}

function parentOf(topology: CpuTopology, level: Level): Level | undefined {
  const [wide, narrow] = wideLevels(topology)
  if (level === 'core') return narrow
  if (level === 'uncore') return 'numa'
  return level === wide ? undefined : wide
}

const groupsWithFree = ({ topology, freeIn }: Selection, level: Level): number[] =>
  [...topology[level].ids.keys()].filter((group) => (freeIn[level][group] as number) > 0)

function groupsTouched(
  { topology, isFree }: Selection,
  level: Level,
  positions: readonly number[],
): number[] {
  const { groupOf } = topology[level]
  const groups = new Set<number>()
  for (const position of positions) {
    if (isFree[position] === 1) groups.add(groupOf[position] as number)
  }
  return [...groups]
}

function sortByFree({ freeIn }: Selection, level: Level, groups: number[]): number[] {
  const free = freeIn[level]
  return groups.toSorted((a, b) => (free[a] as number) - (free[b] as number) || a - b)
}
