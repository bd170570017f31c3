/** The kernel's control groups, version 1 (a hierarchy a controller) and version 2 (one for all). */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { until } from '../until.ts'

interface Hierarchy {
  readonly path: string
  readonly version: 1 | 2
  readonly controllers: readonly string[]
}

/** A line reads `33 31 0:30 / /sys/fs/cgroup/cpuacct rw - cgroup cgroup rw,cpuacct`. */
export function hierarchies(): Hierarchy[] {
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .flatMap((line): Hierarchy[] => {
      const [mount = '', filesystem = ''] = line.split(' - ')
      const path = mount.split(' ')[4] ?? ''
      const [type, , options = ''] = filesystem.split(' ')
      if (type === 'cgroup') return [{ path, version: 1, controllers: options.split(',') }]
      if (type !== 'cgroup2') return []
      const controllers = readFileSync(join(path, 'cgroup.controllers'), 'utf8').trim()
      return [{ path, version: 2, controllers: controllers.split(' ').filter(Boolean) }]
    })
}

/** Where `cpu.cfs_quota_us` or `cpu.max` of the group is. */
export function cpuCgroup(group: string): string {
  const hierarchy = hierarchies().find(({ controllers }) => controllers.includes('cpu'))
  if (hierarchy === undefined) throw new Error('finding the cpu cgroup: no hierarchy has cpu')
  return join(hierarchy.path, group)
}

/** The kubelet wants its root to be there, with the controllers. */
export function makeCgroup(group: string): void {
  for (const { path, version, controllers } of hierarchies()) {
    const enable = controllers.map((controller) => `+${controller}`).join(' ')
    let folder = path
    for (const part of group.split('/')) {
      if (version === 2 && enable !== '')
        writeFileSync(join(folder, 'cgroup.subtree_control'), enable)
      folder = join(folder, part)
      mkdirSync(folder, { recursive: true })
    }
  }
}

export const cgroupFolders = (group: string): string[] =>
  hierarchies()
    .map(({ path }) => join(path, group))
    .filter((folder) => existsSync(folder))

/** Empty of processes, but the kernel may need a moment to see it. */
export async function removeCgroup(group: string): Promise<void> {
  for (const folder of cgroupFolders(group))
    await until(`cgroup ${folder} to go`, () => removed(folder))
}

function removed(folder: string): boolean {
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory() && !removed(join(folder, entry.name))) return false
    rmdirSync(folder)
  } catch {
    // busy still, or gone
  }
  return !existsSync(folder)
}

/** Whoever is in it was started there. */
export function killMembers(group: string): void {
  try {
    const pids = readFileSync(join(cpuCgroup(group), 'cgroup.procs'), 'utf8').split('\n')
    for (const pid of pids.filter(Boolean)) process.kill(Number(pid), 'SIGKILL')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ESRCH') throw error
  }
}

/** The CPU groups at the top whose names begin so, in order. */
export const cpuGroupsNamed = (start: string): string[] =>
  readdirSync(dirname(cpuCgroup('any')))
    .filter((name) => name.startsWith(start))
    .toSorted()
