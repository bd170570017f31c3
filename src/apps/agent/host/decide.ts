/** What one sample of all groups leads to: a step from what is known to what is to stand in the kernel. */
import { millicoresUp } from '../../../core/bidding/pod.ts'
import type { CpuSet } from '../../../core/cpu/cpu-set.ts'
import type { CpuReading } from '../../../core/demand/reading.ts'
import { laneFactorFor } from '../../../core/enforcement/lane.ts'
import { noProtection, protect, type Protection } from '../../../core/enforcement/protection.ts'
import { type ActiveClaim, scaleOf } from '../../../core/enforcement/scale.ts'
import { isHurt, isTaker } from '../../../core/enforcement/standing.ts'
import { sharesOf, urgencyOf, weigh } from '../../../core/enforcement/weigh.ts'
import type { Millicores, Millis } from '../../../core/units.ts'
import type { MachineUsage } from '../../../ports/cgroup.ts'
import { followShared, hasIdle, isBusy, noneSeen, type SharedCpus } from '../shared-cpus.ts'
import { type Group, type GroupRules, senseGroup, type SensingRules } from './group.ts'
import { clear, isDue, isSound, type Market, type MarketRules } from './market.ts'

export type HostRules = SensingRules &
  MarketRules & {
    readonly groups: readonly GroupRules[]
    /** CPUs of those without some of their own; undefined: nobody has, and cpusets are left alone. */
    readonly pool: CpuSet | undefined
    /** Groups that use more than their floor may be held back by quotas. */
    readonly protects: boolean
  }

export type Memory = {
  readonly at: Millis | undefined
  /** Those that are there, by path. */
  readonly groups: ReadonlyMap<string, Group>
  readonly shared: SharedCpus
  readonly market: Market | undefined
  readonly protection: Protection
}

export const nothingKnown: Memory = {
  at: undefined,
  groups: new Map(),
  shared: noneSeen,
  market: undefined,
  protection: noProtection,
}

export type Seen = {
  readonly at: Millis
  /** Of the groups that are there, by path. */
  readonly readings: ReadonlyMap<string, CpuReading>
  readonly usage: MachineUsage
  /** How long a group has waited for CPUs in all; asked only while they are busy. */
  readonly waitingMicros: (path: string) => number | undefined
}

/** What is to stand in the kernel for one group. */
export type Aim = {
  /** cpu.shares. */
  readonly shares: number
  /**
   * Elastic: the most that it may use, if its own quota is not lower; strict: its quota. Undefined:
   * the quota that it was found with.
   */
  readonly quota: Millicores | undefined
}

export type Decided = {
  readonly memory: Memory
  /** By path. */
  readonly aims: ReadonlyMap<string, Aim>
}

export function decide(before: Memory, seen: Seen, rules: HostRules): Decided {
  const { at } = seen
  const shared = followShared(before.shared, {
    usage: seen.usage,
    ownCores: ownCoresOf(before.groups),
    cpus: rules.pool?.length ?? rules.cpus,
  })
  const groups = senseAll(before, { ...seen, shared }, rules)
  const sharing = [...groups.values()].filter(({ rules }) => rules.exclusive === undefined)
  const isThrottled = sharing.some(({ verdict }) => verdict.state === 'throttled')
  const members = { at, groups: sharing, isPressed: !hasIdle(shared) || isThrottled }
  const market =
    before.market === undefined || isDue(before.market, members, rules)
      ? clear(members, rules)
      : before.market
  const seconds = (at - (before.at ?? at)) / 1000
  const protection =
    rules.protects && !rules.isStrict
      ? protect(before.protection, sharing.map(protectedOf), seconds)
      : noProtection
  const memory = { at, groups, shared, market, protection }
  const around = { ...memory, ...weighingOf(sharing, market) }
  const aims = [...groups].map(([path, group]) => [path, aimOf(group, around, rules)] as const)
  return { memory, aims: new Map(aims) }
}

const ownCoresOf = (groups: Memory['groups']): number =>
  [...groups.values()].reduce(
    (sum, { rules, tracked }) =>
      rules.exclusive === undefined ? sum : sum + (tracked.rates?.usageCores ?? 0),
    0,
  )

function senseAll(
  { groups: before, market }: Pick<Memory, 'groups' | 'market'>,
  { readings, shared, waitingMicros }: Seen & { readonly shared: SharedCpus },
  rules: HostRules,
): ReadonlyMap<string, Group> {
  const present = rules.groups.filter(({ path }) => readings.has(path))
  const floors = present.reduce(
    (sum, { floor, exclusive }) => (exclusive === undefined ? sum + floor : sum),
    0,
  )
  const fitting = Math.min(1, rules.capacity / floors)
  const sensed = new Map<string, Group>()
  for (const group of present) {
    const { path, floor, exclusive } = group
    const reading = readings.get(path)
    if (reading === undefined) continue
    const entitled = exclusive === undefined ? (Math.floor(floor * fitting) as Millicores) : floor
    const sample = {
      rules: group,
      reading,
      entitled,
      given: givenTo(path, entitled, market),
      waitingMicros: isBusy(shared) ? waitingMicros(path) : undefined,
      hasIdleCpu: hasIdle(shared),
    }
    sensed.set(path, senseGroup(before.get(path), sample, rules))
  }
  return sensed
}

const givenTo = (path: string, entitled: Millicores, market: Market | undefined): Millicores =>
  Math.max(entitled, market?.given.get(path) ?? 0) as Millicores

type Weighing = { readonly laneFactor: number; readonly scale: number }

/** Siblings that are not listed are warned of, and not minded. */
function weighingOf(sharing: readonly Group[], market: Market): Weighing {
  const largest = Math.max(0, ...sharing.map(({ entitled }) => entitled))
  const laneFactor = laneFactorFor(largest / 1000)
  const claims = sharing.map((group) => claimOf(group, market))
  return {
    laneFactor,
    scale: scaleOf(claims, { laneFactor, hasOthers: false, unit: 1, leastWeight: 0 }),
  }
}

function claimOf(group: Group, market: Market | undefined): ActiveClaim {
  const { rules, entitled, credits, marketCredits, waiting } = group
  const given = givenTo(rules.path, entitled, market)
  const urgency = urgencyOf(rules.isUrgent === true, undefined)
  return { entitled, given, credits, marketCredits, urgency, used: millicoresUp(waiting.usedCores) }
}

const protectedOf = (group: Group) => ({
  id: group.rules.path,
  used: millicoresUp(group.waiting.usedCores),
  entitled: group.entitled,
  isHurt: isHurt(group, false),
  isTaker: isTaker(group, { hasTarget: group.rules.isUrgent === true, isStrict: false }),
})

function aimOf(
  group: Group,
  { market, protection, laneFactor, scale }: Pick<Memory, 'market' | 'protection'> & Weighing,
  { isStrict, capacity }: HostRules,
): Aim {
  const { path, ceiling, exclusive } = group.rules
  const shares = sharesOf(weigh(claimOf(group, market), laneFactor) * scale)
  if (exclusive !== undefined) return { shares, quota: undefined }
  if (isStrict) return { shares, quota: isSound(group) ? market?.given.get(path) : undefined }
  const most = Math.min(ceiling, protection.held.get(path) ?? ceiling) as Millicores
  return { shares, quota: most < capacity ? most : undefined }
}
