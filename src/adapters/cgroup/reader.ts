/** Reads groups' CPU counters from cgroup v1 or v2, on descriptors kept from read to read. */
import { leastShares } from '../../core/cgroup/weight.ts'
import type { CpuReading } from '../../core/demand/reading.ts'
import type { CgroupDriver, CgroupPlace, CgroupReader, MachineUsage } from '../../ports/cgroup.ts'
import { driverOf, findGroup, nameFailure, whyMissing } from './find.ts'
import { openGroup, type OpenGroup, type Seldom } from './group.ts'
import { describeHierarchy, findHierarchy } from './hierarchy.ts'
import { Gone } from './kept-files.ts'
import { openMachineCpuTime } from './machine-usage.ts'
import { readNumaMemory } from './numa-memory.ts'

export type CgroupOptions = {
  /** Where the cgroups are mounted. */
  readonly mount?: string
  /** The kubelet's `cgroupRoot`. */
  readonly kubeletRoot?: string
}

/** After so long a quota is read again, and all else that only a write changes. */
const WAITS: Waits = { quotaMicros: 1_000_000, restMicros: 10_000_000, quietMicros: 1_000_000 }

type Waits = {
  readonly quotaMicros: number
  readonly restMicros: number
  /** The throttling of a group that hardly runs. */
  readonly quietMicros: number
}

export type ReaderOptions = CgroupOptions & {
  readonly nowMicros?: () => number
  /** Everything is read every time. */
  readonly isExact?: boolean
}

export type OpenCgroups = CgroupReader<CgroupPlace> & {
  /** Quota, burst or weight were written: without this they may be read late. */
  readonly stale: (place: CgroupPlace) => void
}

type Kept = {
  readonly group: OpenGroup
  seldom?: ReadSeldom | undefined
  /** Somebody compares its counters. */
  isRead?: boolean
}

type ReadSeldom = {
  readonly values: Seldom
  readonly atMicros: number
  readonly quotaAtMicros: number
}

export function openCgroups({
  mount = '/sys/fs/cgroup',
  kubeletRoot = '/',
  nowMicros = () => Math.round(performance.now() * 1000),
  isExact = false,
}: ReaderOptions = {}): OpenCgroups {
  const waits = isExact ? { quotaMicros: 0, restMicros: 0, quietMicros: 0 } : WAITS
  const hierarchy = findHierarchy(mount)
  const kept = new Map<string, Kept>()
  /** Made anew, which `read` has not told yet. */
  const renewed = new Set<string>()
  const machineTime = openMachineCpuTime(hierarchy)
  let driver: CgroupDriver | undefined

  const open = (place: CgroupPlace): Kept | undefined => {
    const path = findGroup(hierarchy, place, kubeletRoot)
    if (path === undefined) return undefined
    if (!('path' in place)) driver = driverOf(path)
    const opened = { group: openGroup(hierarchy, path, waits) }
    kept.set(keyOf(place), opened)
    return opened
  }
  const letGo = (place: CgroupPlace): void => {
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
      if (kept.get(keyOf(place))?.isRead === true) renewed.add(keyOf(place))
      letGo(place)
      return undefined
    }
  }

  const settingsNow = (opened: Kept, atMicros: number): Seldom => {
    opened.seldom = seldomNow(opened, atMicros, waits)
    return opened.seldom.values
  }
  const readNow = (opened: Kept): CpuReading => {
    const atMicros = nowMicros()
    opened.isRead = true
    return opened.group.counters(atMicros, settingsNow(opened, atMicros))
  }
  const read = (place: CgroupPlace): CpuReading | undefined => {
    if (renewed.delete(keyOf(place))) return undefined
    const reading = inGroup(place, readNow)
    if (reading === undefined) renewed.delete(keyOf(place))
    return reading
  }
  const machineUsage = (): MachineUsage | undefined => {
    const usageMicros = machineTime.micros()
    return usageMicros === undefined ? undefined : { atMicros: nowMicros(), usageMicros }
  }

  return {
    where: describeHierarchy(hierarchy),
    read,
    waiting: (place) => inGroup(place, ({ group }) => group.waiting()),
    machine: machineUsage,
    leastShares: hierarchy.version === 2 ? leastShares.v2 : leastShares.v1,
    weightOf: (place) => inGroup(place, ({ group }) => group.shares()),
    quotaOf: (place) => inGroup(place, (opened) => settingsNow(opened, nowMicros())),
    numaMemory: (place) => {
      const path = findGroup(hierarchy, place, kubeletRoot)
      return path === undefined ? undefined : readNumaMemory(hierarchy, mount, path)
    },
    driver: () => driver,
    whyNone: (place) => whyMissing(hierarchy, place, kubeletRoot),
    stale: (place) => {
      const opened = kept.get(keyOf(place))
      if (opened !== undefined) opened.seldom = undefined
    },
    forget: (place) => {
      letGo(place)
      renewed.delete(keyOf(place))
    },
    close: () => {
      for (const { group } of kept.values()) group.close()
      kept.clear()
      renewed.clear()
      machineTime.close()
    },
  }
}

function seldomNow({ group, seldom: known }: Kept, now: number, waits: Waits): ReadSeldom {
  if (known === undefined || now - known.atMicros >= waits.restMicros) {
    return { values: group.seldom(), atMicros: now, quotaAtMicros: now }
  }
  if (now - known.quotaAtMicros < waits.quotaMicros) return known
  return { ...known, values: group.withQuota(known.values), quotaAtMicros: now }
}

/** Without making a text: it is asked for four times a second for every container. */
const keyOf = (place: CgroupPlace): string =>
  'path' in place ? place.path : 'containerId' in place ? place.containerId : place.podUid
