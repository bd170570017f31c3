/**
 * Takes CPUs as close together as they come, as the kubelet packs them.
 *
 * Objective: few sockets and NUMA nodes, then few caches (an option), then whole cores, and of equal
 * places the one with the least room, so that large free places last. Method: greedy, from the widest
 * level to single CPUs; at each, whole free groups in the order of `orderOf` while they fit in what is
 * needed. Complexity: O(n log n) for n CPUs. Reference: kubelet 1.36, `takeByTopologyNUMAPacked`.
 *
 *   2 sockets of 4 cores of 2 threads, siblings n and n + 8, socket 0 with the even ids
 *   free     ask   gets
 *   all      8     0,2,4,6,8,10,12,14   socket 0 whole
 *   1-15     2     2,10                 a whole core, of the socket with less room
 *   0,2,3    1     3                    the last CPU of the fuller socket
 */
import type { CpuSet } from '../cpu-set.ts'
import type { Refusal } from '../refusal.ts'
import type { CpuTopology } from '../topology.ts'
import {
  freeMembers,
  orderOf,
  type Selection,
  startSelection,
  take,
  takenCpus,
  wideLevels,
} from './selection.ts'
import { takeCaches } from './take-caches.ts'
import { takeWhole } from './take-whole.ts'

type Packing = {
  /** Threads of different cores, rather than cores. */
  readonly acrossCores: boolean
  readonly byUncore: boolean
}

export const plainPacking: Packing = { acrossCores: false, byUncore: false }

export type Wanted = { readonly available: CpuSet; readonly count: number }

export function takePacked(
  topology: CpuTopology,
  { available, count }: Wanted,
  packing: Packing,
): CpuSet | Refusal {
  const selection = startSelection(topology, available, count)
  if (count > selection.freeCount) return notEnough({ available, count })
  return pack(selection, packing) ? takenCpus(selection) : { error: 'failed to allocate cpus' }
}

export const notEnough = ({ available, count }: Wanted): Refusal => ({
  error: `not enough cpus available to satisfy request: requested=${count}, available=${available.length}`,
})

/** Whether it found all that it needs. */
export function pack(selection: Selection, { acrossCores, byUncore }: Packing): boolean {
  for (const level of wideLevels(selection.topology)) takeWhole(selection, level)
  if (byUncore) takeCaches(selection)
  if (!acrossCores) takeWhole(selection, 'core')
  takeSingle(selection, acrossCores ? 'socket' : 'core')
  return selection.needed < 1
}

/** By core, the threads of one are taken together; by socket, CPUs in the order of their ids. */
function takeSingle(selection: Selection, level: 'core' | 'socket'): void {
  if (selection.needed < 1) return
  const order = orderOf(selection, level).flatMap((group) => freeMembers(selection, level, group))
  for (const position of order) {
    take(selection, [position])
    if (selection.needed < 1) return
  }
}
