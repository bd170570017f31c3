/**
 * From what a machine says of its CPUs to the ids that the kubelet uses: a core is known by its
 * lowest CPU, and a last-level cache counts only if it is not that of just one whole NUMA node; else
 * the socket stands for it.
 *
 *   caches of a NUMA node of 8 CPUs   uncore of its CPUs
 *   one of 8 CPUs                     its socket
 *   two of 4 CPUs                     the caches' own ids
 *   one of 16, shared with a node     the cache's own id, in both nodes
 */
import type { CpuPlace } from '../topology.ts'

export type SeenCpu = {
  readonly cpu: number
  readonly socket: number
  readonly numa: number
  /** Its number within the socket. */
  readonly core: number
  /** The last-level cache, and how many CPUs share it. */
  readonly cache?: { readonly id: number; readonly cpus: number } | undefined
}

export function placesOf(seen: readonly SeenCpu[]): CpuPlace[] {
  const threads = new Map<string, number[]>()
  const coresOfNode = new Map<number, number>()
  for (const cpu of seen) {
    const siblings = threads.get(coreKey(cpu))
    if (siblings) siblings.push(cpu.cpu)
    else {
      threads.set(coreKey(cpu), [cpu.cpu])
      coresOfNode.set(cpu.numa, (coresOfNode.get(cpu.numa) ?? 0) + 1)
    }
  }
  return seen.map((one) => {
    const siblings = threads.get(coreKey(one)) ?? [one.cpu]
    const cpusOfNode = (coresOfNode.get(one.numa) ?? 0) * siblings.length
    const isOfNode = one.cache === undefined || one.cache.cpus === cpusOfNode
    return {
      cpu: one.cpu,
      core: Math.min(...siblings),
      socket: one.socket,
      numa: one.numa,
      uncore: isOfNode ? one.socket : one.cache.id,
    }
  })
}

const coreKey = ({ numa, socket, core }: SeenCpu): string => `${numa} ${socket} ${core}`
