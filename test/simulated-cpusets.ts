/** Cpusets as cgroup v1 has them: empty ones hold nobody, and none has more than the one above. */
import { dirname } from 'node:path'

import { type Cpuset, emptyCpuset, pathsTo } from '../src/core/cgroup/plan-cpuset.ts'
import { parseCpuSet, without } from '../src/core/cpu/cpu-set.ts'
import type { Cpusets } from '../src/ports/cpuset.ts'

export type SimulatedCpusets = Cpusets & {
  readonly sets: Map<string, Cpuset>
  /** By name: in which cpuset a process is. */
  readonly processes: Map<string, string>
  /** By name: in which CPU group a process is. */
  readonly cpuGroups: Map<string, string>
  /** On which CPUs it may run. */
  readonly allowed: (process: string) => string | undefined
}

export function simulateCpusets(cpus: number): SimulatedCpusets {
  const sets = new Map<string, Cpuset>([['', { cpus: `0-${cpus - 1}`, mems: '0' }]])
  const processes = new Map<string, string>()
  const cpuGroups = new Map<string, string>()
  const above = (path: string): string => (path.includes('/') ? dirname(path) : '')
  const within = (path: string): string[] =>
    [...processes].filter(([, at]) => at === path).map(([name]) => name)
  const below = (path: string): Cpuset[] =>
    [...sets].filter(([at]) => at !== '' && above(at) === path).map(([, set]) => set)
  const exceeds = (one: string, other: string): boolean =>
    without(parseCpuSet(one), parseCpuSet(other)).length > 0

  const write: Cpusets['write'] = ({ path, from, to }) => {
    if (from === null) sets.set(path, emptyCpuset)
    if (exceeds(to.cpus, sets.get(above(path))?.cpus ?? '')) return `${path}: EACCES`
    if (below(path).some(({ cpus }) => exceeds(cpus, to.cpus))) return `${path}: EBUSY`
    if (to.cpus === '' && within(path).length > 0) return `${path}: ENOSPC`
    if (!sets.has(path)) return `${path}: ENOENT`
    sets.set(path, to)
    return undefined
  }
  return {
    sets,
    processes,
    cpuGroups,
    allowed: (process) => sets.get(processes.get(process) ?? '')?.cpus,
    inherits: false,
    whyNone: () => undefined,
    wayTo: (path) => pathsTo(path).map((path) => ({ path, set: sets.get(path) ?? null })),
    write,
    gather: (path) => {
      for (const [name, at] of cpuGroups) if (at === path) processes.set(name, path)
    },
    release: (path) => {
      for (const name of within(path)) processes.set(name, above(path))
      return undefined
    },
    remove: (path) => {
      if (within(path).length > 0 || below(path).length > 0) return `${path}: EBUSY`
      sets.delete(path)
      return undefined
    },
  }
}
