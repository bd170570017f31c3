/**
 * Takes CPUs that share a last-level cache (`prefer-align-cpus-by-uncorecache`): whole free caches
 * while one fits, then the rest from the first cache that can give exactly that.
 *
 *   caches 0-3 and 4-7 of single-threaded cores, all in one NUMA node
 *   free     ask   gets
 *   0-7      6     0-3,4-5   cache 0 whole, the rest from cache 1
 *   1-7      3     1-3       the cache with less room gives all three
 *   3-7      2     4-5       cache 0 has only one
 */
import type { CpuTopology } from '../topology.ts'
import { freeMembers, orderOf, type Selection, take } from './selection.ts'
import { takeWhole } from './take-whole.ts'

export function takeCaches(selection: Selection): void {
  const { averageSize } = selection.topology.uncore
  for (const cache of orderOf(selection, 'uncore')) {
    if (selection.needed >= averageSize) takeWhole(selection, 'uncore')
    if (selection.needed < 1) return
    takeRest(selection, cache)
    if (selection.needed < 1) return
  }
}

/** Its lowest cores with a free CPU, as many as would do; nothing, unless they give just enough. */
function takeRest(selection: Selection, cache: number): void {
  const { topology, needed } = selection
  const threads = topology.core.averageSize
  const cores = coresOf(topology, freeMembers(selection, 'uncore', cache))
  const positions = cores
    .slice(0, Math.ceil(needed / threads))
    .flatMap((core) => freeMembers(selection, 'core', core))
    .toSorted((a, b) => a - b)
  // An odd need leaves one thread of a core: that with the highest id.
  if (needed % 2 !== 0 && threads > 1 && positions.length > needed) positions.pop()
  if (positions.length === needed) take(selection, positions)
}

const coresOf = ({ core }: CpuTopology, positions: readonly number[]): number[] =>
  [...new Set(positions.map((position) => core.groupOf[position] as number))].toSorted(
    (a, b) => a - b,
  )
