/**
 * memory.numa_stat of a group, from text to how its memory is spread over NUMA nodes, with that of the
 * groups below it.
 *
 *   v1, in pages  hierarchical_total=5789 N0=5700 N1=89
 *   v2, in bytes  anon N0=1531904 N1=0
 *                 file N0=831488 N1=4096
 *
 * Sources: Documentation/admin-guide/cgroup-v1/memory.rst and cgroup-v2.rst.
 */
import type { MemoryByNode } from '../../core/cpu/misalignment/misalignment.ts'

const lines = { 1: /^hierarchical_total=\d+ (.+)$/gm, 2: /^(?:anon|file) (.+)$/gm }

export function parseNumaStat(text: string, version: 1 | 2): MemoryByNode {
  const byNode = new Map<number, number>()
  for (const [, list = ''] of text.matchAll(lines[version])) {
    for (const [, node, amount] of list.matchAll(/N(\d+)=(\d+)/g)) {
      byNode.set(Number(node), (byNode.get(Number(node)) ?? 0) + Number(amount))
    }
  }
  if (byNode.size > 0) return byNode
  throw new Error(
    `parsing memory.numa_stat: expected a line such as ${version === 1 ? 'hierarchical_total=2 N0=2' : 'anon N0=4096'}, got ${JSON.stringify(text.slice(0, 80))}`,
  )
}
