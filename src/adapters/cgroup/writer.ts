/** Sets quota, period, burst and shares of groups, on cgroup v1 or v2. */
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Setting, Step } from '../../core/cgroup/plan-writes.ts'
import { sharesOfWeight, weightOfShares } from '../../core/cgroup/weight.ts'
import { createWriting, type Groups, type PlacedGroup } from '../../core/cgroup/write-changes.ts'
import {
  type CgroupPlace,
  type CgroupWriter,
  type CpuSettings,
  nameOfPlace,
} from '../../ports/cgroup.ts'
import { failureOf } from './answers.ts'
import { findGroup, nameFailure } from './find.ts'
import { openGroup } from './group.ts'
import { findHierarchy, type Hierarchy, topOf } from './hierarchy.ts'
import { findByIdentity, identityOf } from './identity.ts'
import { Gone } from './kept-files.ts'
import type { CgroupOptions } from './reader.ts'

const files = {
  1: {
    quotaMicros: 'cpu.cfs_quota_us',
    periodMicros: 'cpu.cfs_period_us',
    burstMicros: 'cpu.cfs_burst_us',
    shares: 'cpu.shares',
  },
  2: {
    quotaMicros: 'cpu.max',
    periodMicros: 'cpu.max',
    burstMicros: 'cpu.max.burst',
    shares: 'cpu.weight',
  },
} as const satisfies Record<1 | 2, Record<Setting, string>>

export function openCgroupWriter({
  onWrite = () => undefined,
  ...options
}: CgroupOptions & { readonly onWrite?: (place: CgroupPlace) => void } = {}): CgroupWriter {
  const { mount = '/sys/fs/cgroup', kubeletRoot = '/' } = options
  const hierarchy = findHierarchy(mount)
  const groups = openGroups(options)
  const write = createWriting(groups)

  /** Opens what it would write, and writes nothing. */
  const tryGroup = (place: CgroupPlace) => {
    const path = findGroup(hierarchy, place, kubeletRoot)
    if (path === undefined) return undefined
    const file = fileOf(hierarchy, path, 'quotaMicros')
    return { file, failure: failureOf(() => closeSync(openSync(file, 'r+'))) }
  }

  return {
    settings: (place) => groups.locate(place)?.now,
    whyUnwritable: (place) => {
      const found = tryGroup(place)
      if (found === undefined) return `${nameOfPlace(place)} has no cgroup`
      return found.failure && explain(found.failure, found.file)
    },
    whyReadOnly: (place) => {
      const { failure, file = '' } = tryGroup(place) ?? {}
      return failure !== undefined && forbidden.has(failure) ? explain(failure, file) : undefined
    },
    write: (changes, note) => {
      const written = write(changes, note)
      for (const { place } of changes) onWrite(place)
      return written
    },
    identityOf: (place) => {
      const path = findGroup(hierarchy, place, kubeletRoot)
      return path === undefined ? undefined : identityOf(hierarchy, path)
    },
    pathOf: (identity) => findByIdentity(hierarchy, identity),
  }
}

/** The groups of the kernel, one write at a time. */
export function openGroups({
  mount = '/sys/fs/cgroup',
  kubeletRoot = '/',
}: CgroupOptions): Groups<CgroupPlace> {
  const hierarchy = findHierarchy(mount)
  return {
    nameOf: nameOfPlace,
    locate: (place) => {
      const path = findGroup(hierarchy, place, kubeletRoot)
      const id = path === undefined ? undefined : identityOf(hierarchy, path)
      if (path === undefined || id === undefined) return undefined
      try {
        return { path, id, now: readSettings(hierarchy, path) }
      } catch (error) {
        if (error instanceof Gone) return undefined
        throw nameFailure(place, error)
      }
    },
    // v2 has fewer weights than there are shares: those that mean the same weight are no change.
    inSteps: (change) =>
      change.shares === undefined || hierarchy.version === 1
        ? change
        : { ...change, shares: sharesOfWeight(weightOfShares(change.shares)) },
    apply: (step) => {
      const { file, text, words } = spell(hierarchy, step)
      const failure = tryWrite(file, text)
      return { words, failure: failure && explain(failure, file) }
    },
  }
}

function readSettings(hierarchy: Hierarchy, path: string): CpuSettings {
  const group = openGroup(hierarchy, path)
  try {
    const { quotaMicros, periodMicros, burstLimitMicros, weight } = group.seldom()
    return {
      quotaMicros,
      periodMicros,
      ...(burstLimitMicros !== undefined && { burstMicros: burstLimitMicros }),
      shares: hierarchy.version === 2 ? sharesOfWeight(weight) : weight,
    }
  } finally {
    group.close()
  }
}

function fileOf(hierarchy: Hierarchy, path: string, setting: Setting): string {
  return join(topOf(hierarchy), path, files[hierarchy.version][setting])
}

/** On v2 a quota alone keeps the period, which comes with the quota of that moment. */
function spell(hierarchy: Hierarchy, { group, setting, from, to }: Step<PlacedGroup<CgroupPlace>>) {
  const { now, wanted } = group
  const standing = (to ?? 0) > (from ?? 0) ? now.quotaMicros : wanted.quotaMicros
  const inKernel = (value: number | null): string => {
    if (value === null) return hierarchy.version === 2 ? 'max' : '-1'
    if (hierarchy.version === 1) return String(value)
    if (setting === 'periodMicros') return `${standing ?? 'max'} ${value}`
    return String(setting === 'shares' ? weightOfShares(value) : value)
  }
  const name = files[hierarchy.version][setting]
  return {
    file: fileOf(hierarchy, group.path, setting),
    text: inKernel(to),
    words: `${name} of ${nameOfPlace(group.place)} from ${inKernel(from)} to ${inKernel(to)}`,
  }
}

const tryWrite = (file: string, text: string): string | undefined =>
  failureOf(() => writeFileSync(file, text, { flag: 'r+' }))

/** What says something of the whole file system or of us, not of one group. */
const forbidden = new Set(['EROFS', 'EACCES', 'EPERM'])

const explanations: Readonly<Record<string, string>> = {
  EROFS: 'the cgroups are mounted read-only; mount them read-write to let the kernel be moved',
  EACCES: 'not permitted; run as root',
  EPERM: 'not permitted; run as root',
  EINVAL:
    'the kernel refuses the value: a burst above its quota, or a quota above that of a group above',
  ENODEV: 'the group is gone',
  ENOENT:
    'the group is gone, or of v2 without the cpu controller: write +cpu to cgroup.subtree_control of the group above',
}

const explain = (code: string, file: string): string =>
  `${file}: ${code}, ${explanations[code] ?? 'which the kernel does not explain'}`
