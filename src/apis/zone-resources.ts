/** What the zones of a NodeResourceTopology have, and what of it is free. */
import { type CpuSet, intersectionOf, noCpus, without } from '../core/cpu/cpu-set.ts'
import type { Machine, NumaNode } from '../core/cpu/machine.ts'
import { holdMemory } from '../core/cpu/memory/fill.ts'
import { createMemoryState, type NodeMemory } from '../core/cpu/memory/state.ts'
import type { NodeCpus, NumaDevices } from '../core/cpu/node-cpus.ts'
import { isRefusal } from '../core/cpu/refusal.ts'
import { cpusIn } from '../core/cpu/topology.ts'
import { formatBytes } from '../core/quantity.ts'
import type { Bytes } from '../core/units.ts'
import type { ZoneResource } from './node-resource-topology.ts'

export type PublishedCpus = NodeCpus & { readonly machine: Machine }

/** CPUs that a container could still get: all that are shared, where none are given away. */
export const freeCpus = ({ machine, settings, shared }: PublishedCpus): CpuSet =>
  without(shared ?? machine.topology.cpus, settings.cpuManager?.reserved ?? noCpus)

/**
 * In the order of the machine's nodes. Memory only where the Memory Manager counts it: elsewhere nobody
 * knows what is free on a node.
 */
export function zoneResources(cpus: PublishedCpus): ZoneResource[][] {
  const memory = countedMemory(cpus)
  return cpus.machine.nodes.map((node) => {
    const counted = memory?.find(({ numa }) => numa === node.id)
    return [
      cpuResource(cpus, node.id),
      ...(counted === undefined ? [] : memoryResources(node, counted)),
      ...deviceResources(cpus.devices, node.id),
    ]
  })
}

/** Undefined unless it is counted, and known how much there is. */
function countedMemory({ machine, settings, memory }: PublishedCpus): CountedNodes {
  const { memoryManager } = settings
  if (memoryManager?.policy !== 'Static') return undefined
  const totals = machine.nodes.flatMap(({ id: numa, memory: total }) => {
    const reserved = memoryManager.reserved.get(numa) ?? {}
    return total === undefined ? [] : [{ numa, total, reserved }]
  })
  const empty = createMemoryState(totals)
  return isRefusal(empty) ? undefined : holdMemory(empty, memory).nodes
}

type CountedNodes = readonly NodeMemory[] | undefined

function cpuResource(cpus: PublishedCpus, numa: number): ZoneResource {
  const own = cpusIn(cpus.machine.topology, 'numa', numa)
  const reserved = cpus.settings.cpuManager?.reserved ?? noCpus
  return {
    name: 'cpu',
    capacity: `${own.length}`,
    allocatable: `${without(own, reserved).length}`,
    available: `${intersectionOf(own, freeCpus(cpus)).length}`,
  }
}

const memoryResources = (
  { memory = {} }: NumaNode,
  { allocatable, free }: NodeMemory,
): ZoneResource[] =>
  Object.entries(memory).map(([name, capacity]) => ({
    name,
    capacity: formatBytes(capacity),
    allocatable: formatBytes(atLeastNone(allocatable[name])),
    available: formatBytes(atLeastNone(free[name])),
  }))

/** Below 0 the kubelet thinks that it has no end; nobody else should. */
const atLeastNone = (amount = 0): Bytes => Math.max(0, amount) as Bytes

/** A device that is near several nodes is counted on each. */
function deviceResources(devices: readonly NumaDevices[], node: number): ZoneResource[] {
  const near = devices.filter(({ numa }) => numa.includes(node))
  return [...new Set(near.map(({ resource }) => resource))].map((name) => {
    const same = near.filter(({ resource }) => resource === name)
    const allocatable = `${same.reduce((sum, one) => sum + one.allocatable, 0)}`
    const available = `${same.reduce((sum, one) => sum + one.available, 0)}`
    return { name, capacity: allocatable, allocatable, available }
  })
}
