/**
 * Which CPUs a container gets of those that are free: first those that its NUMA affinity names, then
 * any. With `full-pcpus-only`, whole cores or nothing.
 *
 *   4 cores of 2 threads in 2 NUMA nodes: 0-1 2-3 and 4-5 6-7; CPU 0 is reserved
 *   options           available  ask  affinity  gets
 *   none              1-7        3    1         4-6
 *   none              1-3,6-7    4    1         2-3,6-7   node 1, and the nearest whole core
 *   full-pcpus-only   1-7        3    any       refused: 3 is no whole number of cores
 */
import { type CpuSet, intersectionOf, unionOf, without } from '../cpu-set.ts'
import { isRefusal, type Refusal } from '../refusal.ts'
import { cpusIn, idsTouched } from '../topology.ts'
import { type StaticPolicy, takeCpus } from './policy.ts'

type CpuRequest = {
  /** Neither reserved nor exclusively assigned. */
  readonly available: CpuSet
  /** Of init containers of the same pod that have run. */
  readonly reusable: CpuSet
  readonly count: number
  /** NUMA nodes; null: any. */
  readonly affinity: readonly number[] | null
}

export function assignCpus(policy: StaticPolicy, request: CpuRequest): CpuSet | Refusal {
  const { available, reusable, count, affinity } = request
  if (count === 0) return []
  const refusal = refuseBrokenCores(policy, request)
  if (refusal !== undefined) return refusal
  const allocatable = unionOf(available, reusable)
  const near = affinity === null ? [] : intersectionOf(allocatable, cpusNear(policy, affinity))
  const aligned = takeCpus(policy, { available: near, count: Math.min(count, near.length) })
  if (isRefusal(aligned)) return aligned
  const rest = takeCpus(policy, {
    available: without(allocatable, aligned),
    count: count - aligned.length,
  })
  return isRefusal(rest) ? rest : unionOf(aligned, rest)
}

/** `align-by-socket` widens NUMA nodes to their sockets. */
function cpusNear({ topology, options }: StaticPolicy, affinity: readonly number[]): CpuSet {
  const nodes = unionOf(...affinity.map((node) => cpusIn(topology, 'numa', node)))
  if (!options['align-by-socket']) return nodes
  const sockets = idsTouched(topology, 'socket', nodes)
  return unionOf(...sockets.map((socket) => cpusIn(topology, 'socket', socket)))
}

/**
 * The siblings of reserved CPUs count as gone. CPUs to be reused do not count at all: the kubelet
 * looks only at the shared pool.
 */
export function refuseBrokenCores(
  { topology, options, reservedCores }: StaticPolicy,
  { available, count }: Pick<CpuRequest, 'available' | 'count'>,
): Refusal | undefined {
  if (!options['full-pcpus-only']) return undefined
  const threads = topology.core.averageSize
  const refuse = (words: string): Refusal => ({
    error: `SMT Alignment Error: ${words}`,
    type: 'SMTAlignmentError',
  })
  if (count % threads !== 0) {
    return refuse(`requested ${count} cpus not multiple cpus per core = ${threads}`)
  }
  const whole = without(available, reservedCores).length
  if (count <= whole) return undefined
  return refuse(
    `not enough free physical CPUs: available physical CPUs = ${whole}, requested CPUs = ${count}, CPUs per core = ${threads}`,
  )
}
