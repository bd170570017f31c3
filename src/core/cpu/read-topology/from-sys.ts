/** A machine from the kernel's files below `/sys/devices/system`, as cAdvisor reads them for a kubelet. */
import { InvalidInput } from '../../errors.ts'
import { type Bytes, bytes } from '../../units.ts'
import { type CpuSet, parseCpuSet } from '../cpu-set.ts'
import type { Machine, NumaNode } from '../machine.ts'
import { createTopology } from '../topology.ts'
import { placesOf, type SeenCpu } from './places.ts'

/** The text of a file by its path below `/sys/devices/system`; nothing if there is no such file. */
type ReadSys = (path: string) => string | undefined

export function readSysMachine(read: ReadSys): Machine {
  const online = listIn(read, 'cpu/online')
  if (online === undefined) throw new InvalidInput('reading cpu/online: there is no such file')
  const nodes = listIn(read, 'node/online') ?? []
  const nodeOf = new Map<number, number>()
  for (const node of nodes) {
    for (const cpu of listIn(read, `node/node${node}/cpulist`) ?? []) nodeOf.set(cpu, node)
  }
  const topology = createTopology(placesOf(online.map((cpu) => seeCpu(read, cpu, nodeOf))))
  return {
    topology,
    nodes:
      nodes.length === 0
        ? topology.numa.ids.map((id) => ({ id }))
        : nodes.map((id) => readNode(read, id)),
  }
}

function seeCpu(read: ReadSys, cpu: number, nodeOf: ReadonlyMap<number, number>): SeenCpu {
  const socket = numberIn(read, `cpu/cpu${cpu}/topology/physical_package_id`)
  const core = numberIn(read, `cpu/cpu${cpu}/topology/core_id`)
  if (socket === undefined || core === undefined) {
    throw new InvalidInput(
      `reading cpu/cpu${cpu}/topology: expected physical_package_id and core_id to be numbers`,
    )
  }
  // Without NUMA nodes each socket is one.
  return { cpu, socket, core, numa: nodeOf.get(cpu) ?? socket, cache: seeCache(read, cpu) }
}

/** The first beyond level 2. */
function seeCache(read: ReadSys, cpu: number): SeenCpu['cache'] {
  for (let i = 0; ; i++) {
    const place = `cpu/cpu${cpu}/cache/index${i}`
    const level = numberIn(read, `${place}/level`)
    if (level === undefined) return undefined
    if (level <= 2) continue
    const id = numberIn(read, `${place}/id`)
    const cpus = listIn(read, `${place}/shared_cpu_list`)
    return id === undefined || cpus === undefined ? undefined : { id, cpus: cpus.length }
  }
}

function readNode(read: ReadSys, id: number): NumaNode {
  const distances = read(`node/node${id}/distance`)
  const memory = readMemory(read, id)
  return {
    id,
    ...(distances !== undefined && { distances: distances.trim().split(/\s+/).map(Number) }),
    ...(memory && { memory }),
  }
}

/** Every size that a Linux architecture has, in KiB. */
const hugePageSizes = {
  64: 'hugepages-64Ki',
  2048: 'hugepages-2Mi',
  32768: 'hugepages-32Mi',
  524288: 'hugepages-512Mi',
  1048576: 'hugepages-1Gi',
  16777216: 'hugepages-16Gi',
}

function readMemory(read: ReadSys, node: number): Record<string, Bytes> | undefined {
  const total = /MemTotal:\s+(\d+) kB/.exec(read(`node/node${node}/meminfo`) ?? '')?.[1]
  if (total === undefined) return undefined
  const memory: Record<string, Bytes> = { memory: bytes(Number(total) * 1024) }
  for (const [kib, name] of Object.entries(hugePageSizes)) {
    const count = numberIn(read, `node/node${node}/hugepages/hugepages-${kib}kB/nr_hugepages`)
    if (count !== undefined) memory[name] = bytes(count * Number(kib) * 1024)
  }
  return memory
}

function numberIn(read: ReadSys, path: string): number | undefined {
  const text = read(path)?.trim() ?? ''
  return /^\d+$/.test(text) ? Number(text) : undefined
}

function listIn(read: ReadSys, path: string): CpuSet | undefined {
  const text = read(path)
  return text === undefined ? undefined : parseCpuSet(text.trim())
}
