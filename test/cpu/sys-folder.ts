/**
 * A folder that reads as `/sys/devices/system` of another machine: what cAdvisor, and so a kubelet,
 * takes the CPUs, caches and NUMA nodes from.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { formatCpuSet } from '../../src/core/cpu/cpu-set.ts'
import type { CpuPlace } from '../../src/core/cpu/topology.ts'

export type SysMachine = {
  readonly cpus: readonly CpuPlace[]
  /** Of each NUMA node. */
  readonly kibibytes: number
}

export function writeSysFolder(folder: string, { cpus, kibibytes }: SysMachine): void {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), `${text}\n`)
  }
  write('cpu/online', listOf(cpus))
  for (const { cpu, core, socket, uncore } of cpus) {
    write(`cpu/cpu${cpu}/topology/core_id`, `${core}`)
    write(`cpu/cpu${cpu}/topology/physical_package_id`, `${socket}`)
    const near = cpus.filter((other) => other.uncore === uncore)
    const cache = { id: uncore, level: 3, type: 'Unified', size: '16384K' }
    const shared = { shared_cpu_list: listOf(near), shared_cpu_map: maskOf(near) }
    for (const [file, value] of Object.entries({ ...cache, ...shared })) {
      write(`cpu/cpu${cpu}/cache/index0/${file}`, `${value}`)
    }
  }
  const nodes = [...new Set(cpus.map(({ numa }) => numa))].toSorted((a, b) => a - b)
  write('node/online', formatCpuSet(nodes))
  for (const node of nodes) {
    const own = cpus.filter(({ numa }) => numa === node)
    write(`node/node${node}/cpulist`, listOf(own))
    write(`node/node${node}/distance`, nodes.map((to) => (to === node ? 10 : 21)).join(' '))
    write(`node/node${node}/meminfo`, `Node ${node} MemTotal: ${kibibytes} kB`)
    for (const { cpu } of own) {
      symlinkSync(`../../cpu/cpu${cpu}`, join(folder, `node/node${node}/cpu${cpu}`))
    }
  }
}

const listOf = (cpus: readonly CpuPlace[]): string => formatCpuSet(cpus.map(({ cpu }) => cpu))

const maskOf = (cpus: readonly CpuPlace[]): string =>
  cpus.reduce((mask, { cpu }) => mask | (1n << BigInt(cpu)), 0n).toString(16)
