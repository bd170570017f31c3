/** What can be wrong with where a container's CPUs and memory are. */
import type { CpuSet } from '../cpu-set.ts'
import type { Machine } from '../machine.ts'
import type { NodeCpus } from '../node-cpus.ts'

export type KnownNode = NodeCpus & { readonly machine: Machine }

/** How memory is spread over NUMA nodes. The unit is the kernel's own: only proportions count. */
export type MemoryByNode = ReadonlyMap<number, number>

/** One that runs, with CPUs of its own. */
export type PinnedContainer = {
  readonly uid: string
  readonly container: string
  readonly cpus: CpuSet
}

/** Who runs on the other threads of its cores: a container with CPUs of its own, or many. */
export type Neighbour =
  | { readonly uid: string; readonly container: string }
  | 'the shared pool'
  | 'the system'

type Sibling = { readonly cpu: number; readonly neighbour: Neighbour }

export const misalignmentKinds = ['spread', 'memory', 'core'] as const
export type MisalignmentKind = (typeof misalignmentKinds)[number]

export type Misalignment = PinnedContainer &
  (
    | { readonly kind: 'spread'; readonly nodes: readonly number[]; readonly needed: number }
    | {
        readonly kind: 'memory'
        /** Where its CPUs are. */
        readonly near: readonly number[]
        /** Where its memory is, and no CPU. */
        readonly far: readonly number[]
        /** Of its memory. */
        readonly farRatio: number
      }
    | { readonly kind: 'core'; readonly siblings: readonly Sibling[] }
  )
