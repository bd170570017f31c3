/**
 * What is written so that the processes of a group run on given CPUs alone.
 *
 * On cgroup v1 a group whose cpuset is empty takes no process and lets no group below it have CPUs: on
 * the way from the top each group that is missing is made, and each empty set becomes that of the group
 * above. On v2 an empty set means that of the group above, and only the group itself is written.
 * Source: cpuset(7); Documentation/admin-guide/cgroup-v2.rst.
 *
 *   version  top, services, services/db (CPUs/memory nodes)   CPUs   writes
 *   1        0-3/0   missing   missing                        2-3    services 0-3/0, services/db 2-3/0
 *   1        0-3/0   0-3/0     0-1/0                          2-3    services/db 2-3/0
 *   2        0-3/0   -/-       -/-                            2-3    services/db 2-3/-
 */
import { type CpuSet, formatCpuSet } from '../cpu/cpu-set.ts'

/** In the kernel's list format. */
export type Cpuset = { readonly cpus: string; readonly mems: string }

export type CpusetGroup = {
  /** Below the mount; that of the top is empty. */
  readonly path: string
  /** Null: there is no such group. */
  readonly set: Cpuset | null
}

export type CpusetChange = {
  readonly path: string
  /** Null: the group is to be made. */
  readonly from: Cpuset | null
  readonly to: Cpuset
}

export type PinnedGroup = {
  /** From the top of the hierarchy down to the group. */
  readonly way: readonly CpusetGroup[]
  /** An empty set means that of the group above: cgroup v2. */
  readonly inherits: boolean
  readonly cpus: CpuSet
}

export const emptyCpuset: Cpuset = { cpus: '', mems: '' }

/** From the top, which is nothing: for a/b also a and a/b. */
export const pathsTo = (path: string): string[] => {
  const parts = path.split('/')
  return ['', ...parts.map((_, i) => parts.slice(0, i + 1).join('/'))]
}

export function planCpuset({ way, inherits, cpus }: PinnedGroup): CpusetChange[] {
  const changes: CpusetChange[] = []
  let above = emptyCpuset
  for (const [i, { path, set }] of way.entries()) {
    const found = set ?? emptyCpuset
    const filled = inherits
      ? found
      : { cpus: found.cpus || above.cpus, mems: found.mems || above.mems }
    const isOwn = i === way.length - 1
    const to = isOwn ? { ...filled, cpus: formatCpuSet(cpus) } : filled
    if (set === null || set.cpus !== to.cpus || set.mems !== to.mems) {
      changes.push({ path, from: set, to })
    }
    above = to
  }
  return changes
}
