/** Reads groups' CPU counters from cgroup v1 or v2, on descriptors kept from read to read. */
import type { CpuReading } from '../../core/demand/reading.ts'
import type { CgroupPlace, CgroupReader, CpuPressure } from '../../ports/cgroup.ts'
import { findGroup, nameFailure } from './find.ts'
import { openGroup, type OpenGroup, type Seldom } from './group.ts'
import { describeHierarchy, findHierarchy } from './hierarchy.ts'
import { Gone, keepFiles } from './kept-files.ts'
import { parsePressure } from './parse-pressure.ts'

export type CgroupOptions = {
  /** Where the cgroups are mounted. */
  readonly mount?: string
  /** The kubelet's `cgroupRoot`. */
  readonly kubeletRoot?: string
}

const SELDOM_MICROS = 1_000_000

export type ReaderOptions = CgroupOptions & {
  readonly nowMicros?: () => number
  /** What only a write changes is read again after this long, and when it is said to be stale. */
  readonly seldomMicros?: number
}

export type OpenCgroups = CgroupReader<CgroupPlace> & {
  /** Quota, burst or weight were written: without this they may be read up to a second late. */
  readonly stale: (place: CgroupPlace) => void
}

type Kept = {
  readonly group: OpenGroup
  seldom?: { readonly atMicros: number; readonly values: Seldom } | undefined
}

export function openCgroups({
  mount = '/sys/fs/cgroup',
  kubeletRoot = '/',
  nowMicros = () => Math.round(performance.now() * 1000),
  seldomMicros = SELDOM_MICROS,
}: ReaderOptions = {}): OpenCgroups {
  const hierarchy = findHierarchy(mount)
  const kept = new Map<string, Kept>()
  const machine = keepFiles({ pressure: '/proc/pressure/cpu' })

  const open = (place: CgroupPlace): Kept | undefined => {
    const path = findGroup(hierarchy, place, kubeletRoot)
    if (path === undefined) return undefined
    const opened = { group: openGroup(hierarchy, path) }
    kept.set(keyOf(place), opened)
    return opened
  }
  const forget = (place: CgroupPlace): void => {
    kept.get(keyOf(place))?.group.close()
    kept.delete(keyOf(place))
  }
  /** What `use` finds in the group, or undefined when there is none. */
  const inGroup = <T>(place: CgroupPlace, use: (kept: Kept) => T): T | undefined => {
    try {
      const opened = kept.get(keyOf(place)) ?? open(place)
      return opened && use(opened)
    } catch (error) {
      if (!(error instanceof Gone)) throw nameFailure(place, error)
      forget(place)
      return undefined
    }
  }

  const readNow = (opened: Kept): CpuReading => {
    const atMicros = nowMicros()
    if (opened.seldom === undefined || atMicros - opened.seldom.atMicros >= seldomMicros) {
      opened.seldom = { atMicros, values: opened.group.seldom() }
    }
    return opened.group.counters(atMicros, opened.seldom.values)
  }
  const read = (place: CgroupPlace): CpuReading | undefined => inGroup(place, readNow)
  const pressure = (place?: CgroupPlace): CpuPressure | undefined =>
    place === undefined
      ? parsePressure(machine.textIfAny('pressure'))
      : inGroup(place, ({ group }) => group.pressure())

  return {
    where: describeHierarchy(hierarchy),
    read,
    pressure,
    stale: (place) => {
      const opened = kept.get(keyOf(place))
      if (opened !== undefined) opened.seldom = undefined
    },
    forget,
    close: () => {
      for (const { group } of kept.values()) group.close()
      kept.clear()
      machine.close()
    },
  }
}

/** Without making a text: it is asked for four times a second for every container. */
const keyOf = (place: CgroupPlace): string =>
  'path' in place ? place.path : 'containerId' in place ? place.containerId : place.podUid
