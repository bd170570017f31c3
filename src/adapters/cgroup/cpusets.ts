/** Reads and sets on which CPUs groups run, by the cpuset controller of cgroup v1 or v2. */
import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { type Cpuset, type CpusetChange, pathsTo } from '../../core/cgroup/plan-cpuset.ts'
import type { Cpusets } from '../../ports/cpuset.ts'
import { failureOf, textIfAny } from './answers.ts'
import { findHierarchy } from './hierarchy.ts'

/** Opens also where there is no such controller: `whyNone` tells. */
export function openCpusets(mount: string): Cpusets {
  const hierarchy = findHierarchy(mount)
  const inherits = hierarchy.version === 2
  const top = hierarchy.version === 2 ? hierarchy.unified : join(mount, 'cpuset')
  const folderOf = (path: string): string => join(top, path)

  const write = ({ path, from, to }: CpusetChange): string | undefined => {
    const folder = folderOf(path)
    if (from === null) {
      const failure = failureOf(() => mkdirSync(folder))
      if (failure !== undefined) return `making ${folder}: ${explain(failure)}`
    }
    for (const name of ['mems', 'cpus'] as const) {
      if (to[name] === (from?.[name] ?? '')) continue
      const file = join(folder, `cpuset.${name}`)
      const refusal = tryWrite(file, to[name])
      // Even v2 empties no set that is in use: what an empty one would mean is as good.
      const isKept = refusal === 'ENOSPC' && inherits
      const failure = isKept ? tryWrite(file, effectiveIn(dirname(folder), name)) : refusal
      if (failure !== undefined) return `${file}: ${explain(failure)}`
    }
    return inherits ? whyNotInForce(folder, to) : undefined
  }

  return {
    inherits,
    whyNone: (path) => {
      if (!inherits) {
        return existsSync(top) ? undefined : `${top} is not there: mount the cpuset controller`
      }
      const file = join(folderOf(path), 'cpuset.cpus')
      return existsSync(file)
        ? undefined
        : `${file} is not there: write +cpuset to cgroup.subtree_control of every group above`
    },
    wayTo: (path) =>
      (inherits ? [path] : pathsTo(path)).map((path) => ({ path, set: readSet(folderOf(path)) })),
    write,
    gather: (path) => {
      if (hierarchy.version === 2) return
      const here = new Set(processesIn(folderOf(path)))
      for (const id of processesBelow(join(hierarchy.cpu, path))) {
        // One that ends meanwhile needs no moving; what fails otherwise is tried at the next turn.
        if (!here.has(id)) failureOf(() => move(id, folderOf(path)))
      }
    },
    release: (path) => {
      const folder = folderOf(path)
      for (const id of processesIn(folder)) {
        const failure = failureOf(() => move(id, dirname(folder)))
        if (failure !== undefined && failure !== 'ESRCH') {
          return `moving process ${id} out of ${folder}: ${explain(failure)}`
        }
      }
      return undefined
    },
    remove: (path) => {
      const failure = failureOf(() => rmdirSync(folderOf(path)))
      return failure && `removing ${folderOf(path)}: ${explain(failure)}`
    },
  }
}

/** Null when there is no such group. */
function readSet(folder: string): Cpuset | null {
  const read = (name: string): string | undefined =>
    textIfAny(join(folder, `cpuset.${name}`))?.trim()
  const [cpus, mems] = [read('cpus'), read('mems')]
  return cpus === undefined || mems === undefined ? null : { cpus, mems }
}

/** v2 takes any CPUs, and lets processes run on those that the groups above have too. */
function whyNotInForce(folder: string, { cpus }: Cpuset): string | undefined {
  const inForce = effectiveIn(folder, 'cpus')
  return cpus === '' || inForce === cpus
    ? undefined
    : `${folder}/cpuset.cpus.effective: expected ${cpus}, got ${inForce}: the groups above have not all of them`
}

const effectiveIn = (folder: string, name: keyof Cpuset): string =>
  textIfAny(join(folder, `cpuset.${name}.effective`))?.trim() ?? ''

/** An empty set is an empty line: nothing at all would be no write. */
const tryWrite = (file: string, list: string): string | undefined =>
  failureOf(() => writeFileSync(file, `${list}\n`, { flag: 'r+' }))

const processesIn = (folder: string): string[] =>
  (textIfAny(join(folder, 'cgroup.procs')) ?? '').split('\n').filter((id) => id !== '')

const processesBelow = (folder: string): string[] => [
  ...processesIn(folder),
  ...foldersIn(folder).flatMap(processesBelow),
]

/** None of a group that goes meanwhile: whoever was in it is gone, or elsewhere. */
function foldersIn(folder: string): string[] {
  const folders: string[] = []
  failureOf(() => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) folders.push(join(folder, entry.name))
    }
  })
  return folders
}

const move = (id: string, folder: string): void =>
  writeFileSync(join(folder, 'cgroup.procs'), id, { flag: 'r+' })

const explanations: Readonly<Record<string, string>> = {
  EROFS: 'the cgroups are mounted read-only; mount them read-write',
  EACCES: 'not permitted to this user, or CPUs that a group above has not',
  EBUSY: 'groups below it have CPUs that it would lose',
  EINVAL: 'CPUs that another group has to itself by cpuset.cpu_exclusive, or that are off line',
  ENOSPC: 'it has processes, which need CPUs and memory nodes',
  ERANGE: 'CPUs that this machine does not have',
}

const explain = (code: string): string =>
  code in explanations ? `${code}, ${explanations[code]}` : code
