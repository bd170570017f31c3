/** Reads containers' CPU counters from cgroup v1 or v2, on descriptors kept from read to read. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

import type { CpuCounters, CpuReading } from '../../core/demand/reading.ts'
import type { CgroupReader, ContainerPlace } from '../../ports/cgroup.ts'
import { containerPaths } from './find.ts'
import { describeHierarchy, findHierarchy, type Hierarchy } from './hierarchy.ts'
import { openV1 } from './v1.ts'
import { openV2 } from './v2.ts'

export type CgroupOptions = {
  /** Where the cgroups are mounted. */
  readonly mount?: string
  /** The kubelet's `cgroupRoot`. */
  readonly kubeletRoot?: string
  readonly nowMicros?: () => number
}

/** One container's counters; `read` gives undefined when it is gone. */
type OpenCgroup = {
  readonly read: () => CpuCounters | undefined
  readonly close: () => void
}

export function openCgroups({
  mount = '/sys/fs/cgroup',
  kubeletRoot = '/',
  nowMicros = () => Math.round(performance.now() * 1000),
}: CgroupOptions = {}): CgroupReader {
  const hierarchy = findHierarchy(mount)
  const kept = new Map<string, OpenCgroup>()
  const forget = ({ containerId }: ContainerPlace): void => {
    kept.get(containerId)?.close()
    kept.delete(containerId)
  }
  const read = (place: ContainerPlace): CpuReading | undefined => {
    const open = kept.get(place.containerId) ?? openContainer(hierarchy, place, kubeletRoot)
    if (open === undefined) return undefined
    kept.set(place.containerId, open)
    const counters = open.read()
    if (counters === undefined) {
      forget(place)
      return undefined
    }
    return { atMicros: nowMicros(), ...counters }
  }
  return {
    where: describeHierarchy(hierarchy),
    read: (place) => {
      try {
        return read(place)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        throw new Error(`reading the cgroup of ${place.containerId}: ${reason}`, { cause: error })
      }
    },
    forget,
    close: () => {
      for (const { close } of kept.values()) close()
      kept.clear()
    },
  }
}

function openContainer(
  hierarchy: Hierarchy,
  place: ContainerPlace,
  kubeletRoot: string,
): OpenCgroup | undefined {
  const top = hierarchy.version === 2 ? hierarchy.unified : hierarchy.cpu
  const path = containerPaths(place, kubeletRoot).find((path) => existsSync(join(top, path)))
  if (path === undefined) return undefined
  return hierarchy.version === 2 ? openV2(join(top, path)) : openV1(hierarchy, path)
}
