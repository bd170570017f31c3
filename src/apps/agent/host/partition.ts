/**
 * Which CPUs each group of a host runs on: those that ask for some of their own get them by the static
 * policy of core/cpu, aligned with NUMA nodes as far as can be, in the order of the configuration; all
 * others share what is left.
 *
 * As many whole CPUs as the reserve needs, and at least one, stay shared: the system runs somewhere.
 *
 *   CPUs  reserve  ask     own       shared
 *   0-3   100m     2       1-2       0,3
 *   0-1   100m     1       1         0
 *   0-1   100m     2       refused: one is all that may be given away
 */
import type { HostGroup } from '../../../apis/agent-config.ts'
import { cpuSet, type CpuSet, intersectionOf, without } from '../../../core/cpu/cpu-set.ts'
import { cpuHints, type HintRequest } from '../../../core/cpu/hints/cpu-hints.ts'
import { isRefusal } from '../../../core/cpu/refusal.ts'
import { assignCpus } from '../../../core/cpu/static-policy/assign.ts'
import { createStaticPolicy, type StaticPolicy } from '../../../core/cpu/static-policy/policy.ts'
import { mergeHints } from '../../../core/cpu/topology-manager/merge.ts'
import { cpusIn, type CpuTopology } from '../../../core/cpu/topology.ts'
import { InvalidInput } from '../../../core/errors.ts'
import { formatMillicores } from '../../../core/quantity.ts'
import type { Millicores } from '../../../core/units.ts'

export type Partition = {
  readonly shared: CpuSet
  /** By path. */
  readonly own: ReadonlyMap<string, CpuSet>
}

export type Host = {
  readonly topology: CpuTopology
  readonly reserve: Millicores
  /** How faults call the configuration. */
  readonly name: string
}

export function partitionCpus(groups: readonly HostGroup[], host: Host): Partition {
  const own = new Map<string, CpuSet>()
  let shared = host.topology.cpus
  const policy = policyOf(host)
  for (const { path, exclusiveCpus: count } of groups) {
    if (count === 0) continue
    const cpus = take(policy, without(shared, policy.reserved), count)
    if (cpus === undefined) throw tooMany({ path, count, shared, policy, host })
    own.set(path, cpus)
    shared = without(shared, cpus)
  }
  return { shared, own }
}

function policyOf({ topology, reserve, name }: Host): StaticPolicy {
  const reserved = Math.max(1, Math.ceil(reserve / 1000))
  const policy = createStaticPolicy({ topology, options: {}, reserved })
  if (!isRefusal(policy)) return policy
  throw new InvalidInput(`${name}: reserving ${reserved} CPUs: ${policy.error}`)
}

/** More make too many sets of nodes to look at: the kubelet's own limit. */
const MOST_ALIGNED_NODES = 8

/**
 * Undefined if there are too few. Where cores differ in size, the policy takes a core with one free
 * thread for a free one and gives all its threads, as the kubelet does: then it is the lowest CPUs
 * that are free, of the same NUMA nodes if they have enough.
 */
function take(policy: StaticPolicy, available: CpuSet, count: number): CpuSet | undefined {
  if (available.length < count) return undefined
  const request = { available, reusable: [], count }
  const affinity = align(policy, request)
  const cpus = assignCpus(policy, { ...request, affinity })
  const isFree = (chosen: CpuSet): boolean =>
    chosen.length === count && without(chosen, available).length === 0
  if (!isRefusal(cpus) && isFree(cpus)) return cpus
  const nodes = (affinity ?? []).flatMap((node) => cpusIn(policy.topology, 'numa', node))
  const near = intersectionOf(available, cpuSet(nodes))
  return cpuSet([...near, ...without(available, near)].slice(0, count))
}

/** The NUMA nodes that suit it best; null: any. */
function align(policy: StaticPolicy, request: HintRequest): readonly number[] | null {
  const numaNodes = policy.topology.numa.ids
  if (numaNodes.length > MOST_ALIGNED_NODES) return null
  const settings = { policy: 'best-effort', scope: 'container', numaNodes } as const
  return mergeHints([{ cpu: cpuHints(policy, request) }], settings).hint.affinity
}

type TooMany = {
  readonly path: string
  readonly count: number
  readonly shared: CpuSet
  readonly policy: StaticPolicy
  readonly host: Host
}

function tooMany({ path, count, shared, policy, host }: TooMany): InvalidInput {
  const { topology, reserve, name } = host
  const reserved = policy.reserved.length
  const given = topology.cpus.length - shared.length
  const left = shared.length - reserved
  return new InvalidInput(
    `${name}: group ${path}: expected exclusiveCpus of at most the ${left} left, got ${count}: ` +
      `of the ${topology.cpus.length} CPUs of this machine ${reserved} must stay shared ` +
      `(reserve ${formatMillicores(reserve)}) and groups before it have ${given}`,
  )
}
