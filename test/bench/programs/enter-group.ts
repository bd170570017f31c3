import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { findHierarchy, foldersOf } from '../../../src/adapters/cgroup/hierarchy.ts'
import { hierarchies } from '../../kubernetes/cgroups.ts'

/** Moves this process, and what it starts from then on, into a CPU group; and back. */
export function enterGroup(group: string): () => void {
  const moves = foldersOf(findHierarchy('/sys/fs/cgroup')).map((folder) => ({
    folder,
    before: ownPath(folder),
  }))
  const moveTo = (folder: string, path: string) =>
    writeFileSync(join(folder, path, 'cgroup.procs'), String(process.pid))
  for (const { folder } of moves) moveTo(folder, group)
  return () => moves.forEach(({ folder, before }) => moveTo(folder, before))
}

/** Moves another process there, with all its threads. */
export function moveInto(group: string, pid: number): void {
  for (const folder of foldersOf(findHierarchy('/sys/fs/cgroup')))
    writeFileSync(join(folder, group, 'cgroup.procs'), String(pid))
}

/** A line reads `1:cpu,cpuacct:/path`, on v2 `0::/path`. */
function ownPath(folder: string): string {
  const hierarchy = hierarchies().find(({ path }) => path === folder)
  const [controller = ''] = hierarchy?.version === 1 ? hierarchy.controllers.filter(isCpu) : ['']
  const lines = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n')
  const own = lines
    .map((line) => line.split(':'))
    .find(([, controllers = '']) => controllers.split(',').includes(controller))
  if (own === undefined) throw new Error(`finding the group of this process below ${folder}`)
  return own.slice(2).join(':')
}

const isCpu = (controller: string): boolean => ['cpu', 'cpuacct'].includes(controller)
