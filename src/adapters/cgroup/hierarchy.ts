/** Which cgroup version holds the CPU controller, and where it is mounted. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { InvalidInput } from '../../core/errors.ts'

export type Hierarchy =
  | { readonly version: 1; readonly cpu: string; readonly cpuacct: string }
  | { readonly version: 2; readonly unified: string }

/** v1 names a folder by its controllers; cpu and cpuacct are mounted together or apart. */
const folders = {
  cpu: ['cpu', 'cpu,cpuacct', 'cpuacct,cpu'],
  cpuacct: ['cpuacct', 'cpu,cpuacct', 'cpuacct,cpu'],
}

/** A hybrid machine has v2 mounted too, without the CPU controller: there v1 is the one that counts. */
export function findHierarchy(mount: string): Hierarchy {
  if (controllersOf(mount).includes('cpu')) return { version: 2, unified: mount }
  const find = (names: readonly string[]): string | undefined =>
    names.map((name) => join(mount, name)).find((path) => existsSync(path))
  const [cpu, cpuacct] = [find(folders.cpu), find(folders.cpuacct)]
  if (cpu !== undefined && cpuacct !== undefined) return { version: 1, cpu, cpuacct }
  throw new InvalidInput(
    `finding the CPU cgroups below ${mount}: expected cgroup.controllers with cpu (cgroup v2) or the folders cpu and cpuacct (v1), got neither; give the mount point with --cgroup-mount`,
  )
}

function controllersOf(mount: string): string[] {
  const file = join(mount, 'cgroup.controllers')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ') : []
}

/** Below it are the groups with their quotas. */
export const topOf = (found: Hierarchy): string => (found.version === 2 ? found.unified : found.cpu)

/** In each of them a group has a folder at the same path. */
export const foldersOf = (found: Hierarchy): readonly string[] =>
  found.version === 2 ? [found.unified] : [...new Set([found.cpu, found.cpuacct])]

export const describeHierarchy = (found: Hierarchy): string =>
  `cgroup v${found.version} at ${topOf(found)}`
