/**
 * A machine as the zones of a NodeResourceTopology and attributes beside them, both ways. Nothing asks
 * that cores, caches and sockets nest in NUMA nodes, so that each level has a text of its own:
 *
 *   0=0,4 1=1,5 2=2,6 3=3,7    the CPUs of each core by its id
 */
import { formatCpuSet, parseCpuSet } from '../core/cpu/cpu-set.ts'
import type { Machine, NumaNode } from '../core/cpu/machine.ts'
import { cpusIn, createTopology, type CpuTopology, type Level } from '../core/cpu/topology.ts'
import { InvalidInput } from '../core/errors.ts'
import {
  type Attributes,
  attributesOf,
  readAttributes,
  type WrittenAttributes,
} from './attributes.ts'
import { formatAmounts, parseAmounts } from './kubelet-flags.ts'
import { attributeNames as names, type Zone, type ZoneResource } from './node-resource-topology.ts'

export const writeLevels = (topology: CpuTopology): WrittenAttributes => ({
  [names.cores]: formatGroups(topology, 'core'),
  [names.caches]: formatGroups(topology, 'uncore'),
  [names.sockets]: formatGroups(topology, 'socket'),
})

const formatGroups = (topology: CpuTopology, level: Level): string =>
  topology[level].ids.map((id) => `${id}=${formatCpuSet(cpusIn(topology, level, id))}`).join(' ')

/** `resources` are those of each node, in the same order. */
export const writeZones = (
  { topology, nodes }: Machine,
  resources: readonly (readonly ZoneResource[])[],
): Zone[] =>
  nodes.map(({ id, distances, memory }, i) => ({
    name: zoneName(id),
    type: 'Node',
    ...(distances && {
      costs: distances.map((value, to) => ({ name: zoneName(nodes[to]?.id ?? to), value })),
    }),
    attributes: attributesOf({
      [names.cpus]: formatCpuSet(cpusIn(topology, 'numa', id)),
      [names.memory]: memory && formatAmounts(memory),
    }),
    resources: resources[i] ?? [],
  }))

const zoneName = (id: number): string => `node-${id}`

export function readMachineOf(zones: readonly Zone[], { place, need }: Attributes): Machine {
  const read = zones.map((zone) => readZone(zone, place))
  const [core, uncore, socket] = [names.cores, names.caches, names.sockets].map((name) =>
    parseGroups(need(name), `${place}: ${name}`),
  ) as [Groups, Groups, Groups]
  const places = read.flatMap(({ node, cpus }) =>
    cpus.map((cpu) => ({
      cpu,
      numa: node.id,
      core: core(cpu),
      uncore: uncore(cpu),
      socket: socket(cpu),
    })),
  )
  return { topology: createTopology(places), nodes: read.map(({ node }) => node) }
}

function readZone({ name, costs, attributes }: Zone, place: string) {
  const [, id] = /^node-(\d+)$/.exec(name) ?? []
  if (id === undefined) {
    throw new InvalidInput(`${place}: expected zones such as node-0, got ${name}`)
  }
  const { get, need } = readAttributes(attributes, `${place}: zone ${name}`)
  const memory = get(names.memory)
  const node: NumaNode = {
    id: Number(id),
    ...(costs && { distances: costs.map(({ value }) => value) }),
    ...(memory !== undefined && { memory: parseAmounts(memory, `${place}: zone ${name}`) }),
  }
  return { node, cpus: parseCpuSet(need(names.cpus)) }
}

/** The group of a CPU. */
type Groups = (cpu: number) => number

function parseGroups(text: string, place: string): Groups {
  const groups = new Map<number, number>()
  for (const group of text.split(' ')) {
    const [id = '', cpus = ''] = group.split('=')
    for (const cpu of parseCpuSet(cpus)) groups.set(cpu, Number(id))
  }
  return (cpu) => {
    const id = groups.get(cpu)
    if (id !== undefined) return id
    throw new InvalidInput(`${place}: expected to find CPU ${cpu}, got ${text}`)
  }
}
