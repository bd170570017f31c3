/**
 * Where a cgroup is, below the mount of its hierarchy.
 *
 *   cgroupfs  kubepods/burstable/pod<uid>/<id>
 *   systemd   kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod<uid with _>.slice/
 *             cri-containerd-<id>.scope
 *
 * Guaranteed pods have no folder for their class. containerd's scopes begin with `cri-containerd-`,
 * CRI-O's with `crio-` (under cgroupfs too), cri-dockerd's with `docker-`. A kubelet with a
 * `cgroupRoot` of its own puts all of it below; with systemd, where a slice's name is its path,
 * `/a` gives `a.slice/a-kubepods.slice/...`.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

import {
  type CgroupDriver,
  type CgroupPlace,
  type ContainerPlace,
  nameOfPlace,
  type PodPlace,
} from '../../ports/cgroup.ts'
import { foldersOf, type Hierarchy, topOf } from './hierarchy.ts'

/** Relative to the mount. Undefined when there is no such cgroup. */
export function findGroup(
  hierarchy: Hierarchy,
  place: CgroupPlace,
  kubeletRoot: string,
): string | undefined {
  return pathsOf(place, kubeletRoot).find((path) => existsSync(join(topOf(hierarchy), path)))
}

/** What keeps it from being read, with the remedy; undefined when all is there. */
export function whyMissing(
  hierarchy: Hierarchy,
  place: CgroupPlace,
  kubeletRoot: string,
): string | undefined {
  const path = findGroup(hierarchy, place, kubeletRoot) ?? pathsOf(place, kubeletRoot)[0]
  if (path === undefined) {
    return `expected plain names of pod and container in the pod's status, got ${nameOfPlace(place)}`
  }
  const missing = foldersOf(hierarchy)
    .map((folder) => join(folder, path))
    .filter((folder) => !existsSync(folder))
  if (missing.length > 0) {
    const both =
      hierarchy.version === 2
        ? ''
        : ': on cgroup v1 a group needs its folder, and its processes, in both cpu and cpuacct'
    return `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not there${both}`
  }
  if (hierarchy.version === 1 || existsSync(join(hierarchy.unified, path, 'cpu.max'))) {
    return undefined
  }
  return `${join(hierarchy.unified, path)} lacks the cpu controller: write +cpu to cgroup.subtree_control of every group above`
}

/** Of the group of a pod or a container: only systemd's names tell what they are. */
export const driverOf = (path: string): CgroupDriver =>
  /\.(slice|scope)$/.test(path) ? 'systemd' : 'cgroupfs'

export function nameFailure(place: CgroupPlace, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error)
  return new Error(`reading the cgroup of ${nameOfPlace(place)}: ${reason}`, { cause: error })
}

/**
 * Every place where it may be, likeliest first; none of a name that could lead out of its pod's group.
 * Whoever may write the status of a pod writes these names, and we are root.
 */
export function pathsOf(place: CgroupPlace, kubeletRoot = '/'): string[] {
  if ('path' in place) return [place.path]
  if (!isName(place.podUid)) return []
  const [plain, ...slices] = podPaths(place, kubeletRoot)
  if (plain === undefined) return []
  return 'containerId' in place ? containerPaths(place, plain, slices) : [plain, ...slices]
}

const isName = (text: string): boolean => /^[A-Za-z0-9][\w.-]*$/.test(text)

const classFolders: Readonly<Record<string, readonly string[]>> = {
  Guaranteed: [],
  Burstable: ['burstable'],
  BestEffort: ['besteffort'],
}

function podPaths(place: PodPlace, kubeletRoot: string): string[] {
  if (!Object.hasOwn(classFolders, place.qosClass)) return []
  const levels = ['kubepods', ...(classFolders[place.qosClass] ?? []), `pod${place.podUid}`]
  const root = kubeletRoot.split('/').filter((part) => part !== '')
  const slices = new Set([join(...root, slicePath(levels)), slicePath([...root, ...levels])])
  return [join(...root, ...levels), ...slices]
}

function containerPaths(
  { containerId }: ContainerPlace,
  plain: string,
  slices: readonly string[],
): string[] {
  const id = containerId.replace(/^.*:\/\//, '')
  if (!isName(id)) return []
  const scopes = [`cri-containerd-${id}`, `crio-${id}`, `docker-${id}`]
  return [
    join(plain, id),
    ...slices.flatMap((slice) => scopes.map((scope) => join(slice, `${scope}.scope`))),
    ...scopes.map((scope) => join(plain, scope)),
  ]
}

/** systemd's names: each slice carries the names of all above it, and `-` only parts them. */
function slicePath(levels: readonly string[]): string {
  const names = levels.map((level) => level.replaceAll('-', '_'))
  return join(...names.map((_, i) => `${names.slice(0, i + 1).join('-')}.slice`))
}
