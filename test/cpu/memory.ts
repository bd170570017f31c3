/** Builders of memory on NUMA nodes, in GiB, so that a test states only what matters to it. */
import {
  type NumaMemory,
  createMemoryState,
  type MemoryState,
} from '../../src/core/cpu/memory/state.ts'
import type { ContainerRequest } from '../../src/core/cpu/pod-request.ts'
import { bytes, type Bytes } from '../../src/core/units.ts'
import { accepted, container } from './policies.ts'

export const gibibytes = (count: number): Bytes => bytes(count * 2 ** 30)

/** Nodes of so much memory each, of which 1 GiB of the first is reserved. */
export const memoryOf = (...sizes: readonly number[]): MemoryState =>
  accepted(
    createMemoryState(sizes.map((size, numa) => numaMemory(numa, size + (numa === 0 ? 1 : 0)))),
  )

const numaMemory = (numa: number, size: number): NumaMemory => ({
  numa,
  total: { memory: gibibytes(size) },
  reserved: numa === 0 ? { memory: gibibytes(1) } : {},
})

/** Of 1 CPU. */
export const memoryContainer = (
  name: string,
  size: number,
  kind: ContainerRequest['kind'] = 'app',
): ContainerRequest => ({ ...container(name, 1, kind), memory: { memory: gibibytes(size) } })

/** GiB of each node. */
export const freeOf = ({ nodes }: MemoryState): number[] =>
  nodes.map(({ free }) => (free['memory'] ?? 0) / 2 ** 30)
