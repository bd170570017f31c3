/**
 * Which group it is, whatever it is called. The inode of a group's folder is its number in the kernel
 * (kernfs_node.id): it stays when the folder is renamed, which cgroup v1 allows and v2 does not, and
 * numbers are given in a cycle, so that a group made anew has another.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { type Hierarchy, topOf } from './hierarchy.ts'

/** Undefined when there is no such group. */
export function identityOf(hierarchy: Hierarchy, path: string): string | undefined {
  const stat = statSync(join(topOf(hierarchy), path), { bigint: true, throwIfNoEntry: false })
  return stat?.isDirectory() === true ? String(stat.ino) : undefined
}

/** Looks through all groups; relative to the mount. Undefined when there is none of that identity. */
export function findByIdentity(hierarchy: Hierarchy, identity: string): string | undefined {
  const below = [...foldersIn(hierarchy, '')]
  for (let path = below.pop(); path !== undefined; path = below.pop()) {
    if (identityOf(hierarchy, path) === identity) return path
    below.push(...foldersIn(hierarchy, path))
  }
  return undefined
}

/** None where the folder has gone meanwhile. */
function foldersIn(hierarchy: Hierarchy, path: string): string[] {
  try {
    return readdirSync(join(topOf(hierarchy), path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(path, name))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENODEV') return []
    throw error
  }
}
