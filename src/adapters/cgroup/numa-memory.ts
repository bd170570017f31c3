import { join } from 'node:path'

import type { MemoryByNode } from '../../core/cpu/misalignment/misalignment.ts'
import { textIfAny } from './answers.ts'
import type { Hierarchy } from './hierarchy.ts'
import { parseNumaStat } from './parse-numa-stat.ts'

/** Undefined where there is no such group, no memory controller, or a kernel without NUMA. */
export function readNumaMemory(
  hierarchy: Hierarchy,
  mount: string,
  path: string,
): MemoryByNode | undefined {
  const top = hierarchy.version === 2 ? hierarchy.unified : join(mount, 'memory')
  const text = textIfAny(join(top, path, 'memory.numa_stat'))
  return text === undefined ? undefined : parseNumaStat(text, hierarchy.version)
}
