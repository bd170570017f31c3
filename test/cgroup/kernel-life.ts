/** The kernel of this machine as a ground for the life of groups (host-life.ts). */
import { accessSync, constants, mkdirSync, renameSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { failureOf } from '../../src/adapters/cgroup/answers.ts'
import { openCpusets } from '../../src/adapters/cgroup/cpusets.ts'
import { findHierarchy, foldersOf, type Hierarchy } from '../../src/adapters/cgroup/hierarchy.ts'
import { openCgroups } from '../../src/adapters/cgroup/reader.ts'
import { openCgroupWriter, openGroups } from '../../src/adapters/cgroup/writer.ts'
import type { Setting } from '../../src/core/cgroup/plan-writes.ts'
import { weightOfShares } from '../../src/core/cgroup/weight.ts'
import { millis } from '../../src/core/units.ts'
import { machine as machineOf } from '../cpu/machines.ts'
import { makeCgroup } from '../kubernetes/cgroups.ts'
import type { LifeGround } from './host-life.ts'

const MOUNT = '/sys/fs/cgroup'

export type Ours = { readonly hierarchy?: Hierarchy; readonly skip: string | false }

/** The hierarchy, or why its groups cannot be written here. */
export function findOurs(): Ours {
  try {
    const hierarchy = findHierarchy(MOUNT)
    for (const folder of foldersOf(hierarchy)) accessSync(folder, constants.W_OK)
    return { hierarchy, skip: false }
  } catch (error) {
    return { skip: `needs root and a CPU cgroup: ${(error as Error).message}` }
  }
}

const files = {
  1: {
    quotaMicros: 'cpu.cfs_quota_us',
    periodMicros: 'cpu.cfs_period_us',
    burstMicros: 'cpu.cfs_burst_us',
    shares: 'cpu.shares',
  },
  2: {
    quotaMicros: 'cpu.max',
    periodMicros: 'cpu.max',
    burstMicros: 'cpu.max.burst',
    shares: 'cpu.weight',
  },
} as const

/** Below a group `tree`, which whoever uses it removes. */
export function lifeOnKernel(hierarchy: Hierarchy, tree: string): LifeGround {
  let nowMillis = 0
  const folders = foldersOf(hierarchy)
  const cgroups = openCgroups({ isExact: true, nowMicros: () => nowMillis * 1000 })
  const groups = openGroups({})
  makeCgroup(tree)
  if (hierarchy.version === 2) {
    writeFileSync(join(hierarchy.unified, tree, 'cgroup.subtree_control'), '+cpu')
  }

  /** v2 has no file for a period alone. */
  const textOf = (path: string, setting: Setting, to: number | null): string => {
    if (hierarchy.version === 1) return String(to ?? -1)
    if (setting === 'shares') return String(weightOfShares(to ?? 0))
    if (setting !== 'periodMicros') return String(to ?? 'max')
    return `${groups.locate({ path })?.now.quotaMicros ?? 'max'} ${to}`
  }

  return {
    machine: {
      cpus: 2,
      topology: () => machineOf({ sockets: 1, nodes: 1, cores: 2, threads: 1 }),
      cpusets: openCpusets(MOUNT),
      cgroups,
      clock: { now: () => millis(nowMillis) },
      pass: (duration) => void (nowMillis += duration),
    },
    groups,
    writer: openCgroupWriter(),
    paths: [join(tree, 'a'), join(tree, 'b')],
    make: (path) => folders.forEach((folder) => mkdirSync(join(folder, path))),
    remove: (path) => folders.forEach((folder) => rmdirSync(join(folder, path))),
    ...(hierarchy.version === 1 && {
      rename: (from: string, to: string) =>
        folders.forEach((folder) => renameSync(join(folder, from), join(folder, to))),
    }),
    set: (path, setting, to) => {
      const file = join(folders[0] ?? '', path, files[hierarchy.version][setting])
      const text = textOf(path, setting, to)
      return failureOf(() => writeFileSync(file, text, { flag: 'r+' })) === undefined
    },
  }
}
