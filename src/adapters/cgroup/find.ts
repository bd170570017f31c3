/**
 * Where a container's cgroup is, below the mount of its hierarchy.
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
import { join } from 'node:path'

import type { ContainerPlace } from '../../ports/cgroup.ts'

/** Every place where the container's cgroup may be, likeliest first, relative to the mount. */
export function containerPaths(place: ContainerPlace, kubeletRoot = '/'): string[] {
  const id = place.containerId.replace(/^.*:\/\//, '')
  const classes = place.qosClass === 'Guaranteed' ? [] : [place.qosClass.toLowerCase()]
  const levels = ['kubepods', ...classes, `pod${place.podUid}`]
  const root = kubeletRoot.split('/').filter((part) => part !== '')
  const plain = join(...root, ...levels)
  const slices = new Set([join(...root, slicePath(levels)), slicePath([...root, ...levels])])
  return [
    join(plain, id),
    ...[...slices].flatMap((slice) => scopes(id).map((scope) => join(slice, `${scope}.scope`))),
    ...scopes(id).map((scope) => join(plain, scope)),
  ]
}

const scopes = (id: string): string[] => [`cri-containerd-${id}`, `crio-${id}`, `docker-${id}`]

/** systemd's names: each slice carries the names of all above it, and `-` only parts them. */
function slicePath(levels: readonly string[]): string {
  const names = levels.map((level) => level.replaceAll('-', '_'))
  return join(...names.map((_, i) => `${names.slice(0, i + 1).join('-')}.slice`))
}
