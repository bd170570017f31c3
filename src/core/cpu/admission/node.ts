/** The managers of a kubelet on a machine, as it is configured, and what they have given away. */
import { InvalidInput } from '../../errors.ts'
import type { CpuSet } from '../cpu-set.ts'
import type { Machine } from '../machine.ts'
import { releaseInitMemory, releasePodMemory } from '../memory/allocate.ts'
import { type MemoryReservation, refuseReservation } from '../memory/reserved.ts'
import { createMemoryState, type MemoryState } from '../memory/state.ts'
import type { PodRequest } from '../pod-request.ts'
import { isRefusal, type Refusal } from '../refusal.ts'
import type { GivenOptions } from '../static-policy/options.ts'
import { createStaticPolicy, type StaticPolicy } from '../static-policy/policy.ts'
import { type CpuState, emptyState, releaseCpus } from '../static-policy/state.ts'
import {
  readTopologySettings,
  type TopologyConfig,
  type TopologySettings,
} from '../topology-manager/settings.ts'

/** By the kubelet's words for it; a manager that is absent has its policy `none`. */
export type KubeletConfig = {
  readonly cpuManager?: {
    readonly options: GivenOptions
    readonly reserved: CpuSet | number
  }
  readonly memoryManager?: MemoryReservation
  readonly topologyManager?: Pick<TopologyConfig, 'policy' | 'scope' | 'options'>
}

export type KubeletNode = {
  readonly topology: TopologySettings
  readonly cpu: StaticPolicy | null
}

export type NodeState = {
  readonly cpu: CpuState | null
  readonly memory: MemoryState | null
}

/** Refuses what the kubelet would not start with, in its order. */
export function createNode(
  machine: Machine,
  { cpuManager, memoryManager, topologyManager }: KubeletConfig,
): { readonly node: KubeletNode; readonly state: NodeState } | Refusal {
  const topology = readTopologySettings({
    ...topologyManager,
    numaNodes: machine.nodes.map(({ id }) => id),
    distances: distancesOf(machine),
  })
  if (isRefusal(topology)) return topology
  const cpu = cpuManager
    ? createStaticPolicy({
        ...cpuManager,
        topology: machine.topology,
        topologyPolicy: topology.policy,
      })
    : null
  if (cpu !== null && isRefusal(cpu)) return cpu
  const memory = memoryManager ? startMemory(machine, memoryManager) : null
  if (memory !== null && isRefusal(memory)) return memory
  return { node: { topology, cpu }, state: { cpu: cpu && emptyState(cpu), memory } }
}

/** Undefined unless they are known of all nodes. */
function distancesOf({ nodes }: Machine): readonly (readonly number[])[] | undefined {
  const known = nodes.flatMap(({ distances }) => (distances === undefined ? [] : [distances]))
  return known.length === nodes.length ? known : undefined
}

function startMemory({ nodes }: Machine, reservation: MemoryReservation): MemoryState | Refusal {
  const refusal = refuseReservation(
    reservation,
    nodes.map(({ id }) => id),
  )
  if (refusal !== undefined) return refusal
  return createMemoryState(
    nodes.map(({ id: numa, memory: total }) => {
      if (total !== undefined)
        return { numa, total, reserved: reservation.reserved.get(numa) ?? {} }
      throw new InvalidInput(
        `memory of NUMA node ${numa}: expected an amount, got none; a topology file has it in numaNodes`,
      )
    }),
  )
}

/** Its containers are gone. */
export function releasePod({ cpu, memory }: NodeState, uid: string): NodeState {
  const names = [...(cpu?.assigned.get(uid)?.keys() ?? [])]
  return {
    cpu: cpu && names.reduce((state, name) => releaseCpus(state, uid, name), cpu),
    memory: memory && releasePodMemory(memory, uid),
  }
}

/** Its apps run: the memory of init containers is free again, while their CPUs stay with the pod. */
export const startPod = ({ cpu, memory }: NodeState, pod: PodRequest): NodeState => ({
  cpu,
  memory: memory && releaseInitMemory(memory, pod),
})
