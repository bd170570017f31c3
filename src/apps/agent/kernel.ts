/**
 * Puts weights and quotas of pods into the kernel, and brings back what the kubelet set.
 *
 * The weight is that of the pod's group; the weights of its containers, which share it, stay what their
 * requests make them. The groups above (`burstable`, `besteffort`) are the kubelet's and are left alone.
 * A quota is written to the pod and its containers alike: who has a limit may use idle CPU beyond it,
 * and who has none is held to a ceiling.
 *
 * The kubelet writes all of it anew when a pod is created or resized, and systemd when its units are
 * reloaded: what they wrote is what comes back at the end, and ours is put in its place within a sample.
 * With somebody who writes at every sample nobody fights: the pod is let be for a minute.
 */
import { cpuIn } from '../../apis/pod.ts'
import { conversions, requestShares, sharesOfWeight } from '../../core/cgroup/weight.ts'
import type { PlannedGroup } from '../../core/cgroup/write-changes.ts'
import type { CpuReading } from '../../core/demand/reading.ts'
import { isSameWeight } from '../../core/enforcement/weigh.ts'
import type { Millicores, Millis } from '../../core/units.ts'
import {
  type CgroupPlace,
  type CgroupReader,
  type CgroupWriter,
  type CpuChange,
  type CpuSettings,
  nameOfPlace,
} from '../../ports/cgroup.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { ToldAmounts } from './allocation.ts'
import { createNews } from './news.ts'
import type { LastingContainer } from './pod-facts.ts'
import { cpuOfPodGroup } from './pod-group.ts'
import type { SeenPod } from './seen-pod.ts'

export type Enforced = {
  /** In cpu.shares. */
  readonly shares: number
  /** What the pod may use at most; undefined: nothing holds it, `asIs`: whatever the kubelet set. */
  readonly quota: Millicores | 'asIs' | undefined
  /** By container, where the quota is a share that containers have their part of. */
  readonly quotas?: ReadonlyMap<string, Millicores> | undefined
  /** CPU that was not used may be used later, as much as the quota and the limit. */
  readonly bursts: boolean
}

export type Kernel = {
  /**
   * Writes only what differs; `has` is what its containers were last seen with. The weight that is in
   * force then, in cpu.shares; undefined where that is not what was wanted.
   */
  readonly enforce: (
    pod: SeenPod,
    wanted: Enforced,
    has: readonly CpuReading[],
  ) => number | undefined
  /** Brings back what the kubelet set, or is about to set. */
  readonly release: (pod: SeenPod, told?: ToldAmounts['limits']) => void
  /** Whether an agent before us left something on a pod that we have not touched. */
  readonly isLeftOn: (pod: SeenPod) => boolean
  /** What an agent before us left on a pod counts as ours, and is released like it. */
  readonly takeOver: (pod: SeenPod) => void
  /** Why weights cannot be written, with the remedy; undefined if they can, as far as is known. */
  readonly whyReadOnly: () => string | undefined
  /** Forgets the pods that are gone; of one that only we cannot see any longer all is undone first. */
  readonly keepOnly: (uids: ReadonlySet<string>) => void
}

type KernelNeeds = {
  readonly writer: CgroupWriter
  readonly cgroups: Pick<CgroupReader, 'weightOf' | 'forget'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

/** What was done to a pod. */
type Touch = {
  /** As the kubelet set it, with the request that it was set for; undefined: not seen. */
  found: { readonly shares: number; readonly request: number } | undefined
  /** In force, as we set it. */
  shares: number | undefined
  /** What we set last, by the name of the group; null is no limit. */
  readonly quotas: Map<string, number | null>
  seen: SeenPod
  /** Something was, so that it can be. */
  isWritten: boolean
  /** When somebody else wrote the weight, lately. */
  foreign: readonly Millis[]
  letBeUntil: Millis
}

/** So many foreign writes within so long are a fight. */
const FIGHT = { writes: 8, millis: 10_000, restMillis: 60_000 }

/** What the kernel refused is not tried again at every sample. */
const REFUSED_MILLIS = 10_000

export function createKernel({ writer, cgroups, clock, log }: KernelNeeds): Kernel {
  const news = createNews()
  const touched = new Map<string, Touch>()
  let readOnly: string | undefined
  /** How the kubelet of this node makes a weight of a request; found from a pod nobody touched. */
  let expected: (request: number) => number = requestShares

  const weightOf = (place: CgroupPlace): number | undefined =>
    cgroups.weightOf === undefined ? writer.settings(place)?.shares : cgroups.weightOf(place)

  /** Whether a weight is what a kubelet makes of the request, by whichever rule. */
  const isKubelets = (shares: number, request: number): boolean => {
    const straight = rules.straight.find((rule) => rule(request) === shares)
    const bent = rules.bent(request) === shares ? rules.bent : undefined
    // Where both fit, as for the smallest requests, that tells nothing.
    if (straight === undefined || bent === undefined) expected = straight ?? bent ?? expected
    return (straight ?? bent) !== undefined
  }

  const firstTouch = (seen: SeenPod): Touch => {
    const request = requestOf(seen)
    const shares = weightOf(seen.place)
    const isTheirs = shares !== undefined && isKubelets(shares, request)
    const touch: Touch = {
      found: isTheirs ? { shares, request } : undefined,
      // What an agent before us left is ours to bring back, also where it is what we want.
      shares: isTheirs ? undefined : shares,
      quotas: new Map(),
      seen,
      isWritten: false,
      foreign: [],
      letBeUntil: -Infinity as Millis,
    }
    for (const { place, limit } of groupsOf(seen)) {
      const has = writer.settings(place)
      if (has !== undefined && !isNear(milliOf(has), limit)) {
        touch.quotas.set(nameOfPlace(place), has.quotaMicros)
      }
    }
    touched.set(seen.uid, touch)
    return touch
  }

  const note =
    (touch: Touch) =>
    (planned: readonly PlannedGroup<CgroupPlace>[]): void => {
      for (const { place, states } of planned) {
        const [from, to] = [states[0]?.quotaMicros, states.at(-1)?.quotaMicros]
        if (to !== undefined && to !== from) touch.quotas.set(nameOfPlace(place), to)
      }
    }

  const write = (seen: SeenPod, touch: Touch, changes: readonly CpuChange[]): boolean => {
    const pod = `${seen.namespace}/${seen.name}`
    const isFirst = !touch.isWritten
    const why = isFirst ? writer.whyReadOnly(seen.place) : undefined
    const { wrote, refused } =
      why === undefined ? writer.write(changes, note(touch)) : { wrote: [], refused: [why] }
    if (isFirst) readOnly = why
    if (wrote.length > 0) touch.isWritten = true
    if (wrote.length > 0) log('debug', 'kernel written', { pod, wrote })
    if (news.isNew(seen.uid, refused.join('; ')))
      log('warn', 'kernel not written', { pod, refused })
    return refused.length === 0
  }

  /** Undefined where the weight is as it should be, or is let be. */
  const weightChange = (touch: Touch, shares: number): CpuChange | undefined => {
    const { seen } = touch
    const now = clock.now()
    const has = weightOf(seen.place)
    if (has === undefined || now < touch.letBeUntil) return undefined
    const isForeign = touch.shares !== undefined && has !== touch.shares
    if (isForeign) {
      touch.found = { shares: has, request: requestOf(seen) }
      touch.foreign = [...touch.foreign, now].filter((at) => now - at < FIGHT.millis)
      if (touch.foreign.length >= FIGHT.writes) {
        touch.letBeUntil = (now + FIGHT.restMillis) as Millis
        touch.shares = undefined
        const pod = `${seen.namespace}/${seen.name}`
        log('warn', 'weight contested', { pod, writes: touch.foreign.length, pauseSeconds: 60 })
        return undefined
      }
    }
    return isSameWeight(has, shares) ? undefined : { place: seen.place, shares }
  }

  /** What the kubelet set may be what is wanted. */
  const inForce = ({ shares, seen, letBeUntil }: Touch): number | undefined =>
    shares ?? (clock.now() < letBeUntil ? undefined : weightOf(seen.place))

  const enforce: Kernel['enforce'] = (seen, wanted, has) => {
    const known = touched.get(seen.uid)
    const touch = known ?? firstTouch(seen)
    touch.seen = seen
    const isOff =
      known === undefined || has.some((reading, i) => isOther(reading, wanted, seen.containers[i]))
    const weight = weightChange(touch, wanted.shares)
    const quotas =
      isOff && clock.now() >= touch.letBeUntil ? quotaChanges(seen, wanted, writer) : []
    const changes = merge(weight === undefined ? quotas : [weight, ...quotas])
    if (changes.length === 0) return inForce(touch)
    const done = write(seen, touch, changes)
    if (!done) touch.letBeUntil = (clock.now() + REFUSED_MILLIS) as Millis
    if (weight !== undefined && done) touch.shares = weightOf(seen.place)
    return inForce(touch)
  }

  /** Only what we set: another value may be the kubelet's, newer than the spec that we know. */
  const undoneAt = (
    touch: Touch,
    place: CgroupPlace,
    limit: Millicores | undefined,
  ): CpuChange[] => {
    const has = writer.settings(place)
    if (has === undefined) return [] // what has ended has nothing left to undo
    const { quotaMicros, periodMicros } = has
    const wrote = touch.quotas.get(nameOfPlace(place))
    if (wrote === undefined || wrote !== quotaMicros) return [{ place, burstMicros: 0 }]
    const back = limit === undefined ? null : microsOf(limit, periodMicros)
    return [{ place, burstMicros: 0, quotaMicros: back }]
  }

  const restoreWeight = (touch: Touch): CpuChange[] => {
    const { seen, found, shares } = touch
    const has = weightOf(seen.place)
    if (shares === undefined || has === undefined || has !== shares) return []
    const request = requestOf(seen)
    const back = found?.request === request ? found.shares : expected(request)
    return [{ place: seen.place, shares: back }]
  }

  const release: Kernel['release'] = (seen, told) => {
    const touch = touched.get(seen.uid)
    // Of one that became too large to be read it is not known what it should have: once it is again.
    if (touch === undefined || seen.pod.unread !== undefined) return
    touch.seen = seen
    const changes = groupsOf(seen, told).flatMap(({ place, limit }) =>
      undoneAt(touch, place, limit),
    )
    write(seen, touch, merge([...restoreWeight(touch), ...changes]))
    touched.delete(seen.uid)
    cgroups.forget(seen.place)
  }

  const isLeftOn: Kernel['isLeftOn'] = (seen) => {
    if (touched.has(seen.uid)) return false
    const shares = weightOf(seen.place)
    cgroups.forget(seen.place)
    if (shares === undefined) return false
    if (!isKubelets(shares, requestOf(seen))) return true
    return groupsOf(seen).some(({ place, limit }) => {
      const has = writer.settings(place)
      if (has === undefined) return false
      return (has.burstMicros ?? 0) > 0 || !isNear(milliOf(has), limit)
    })
  }

  return {
    enforce,
    release,
    isLeftOn,
    takeOver: (seen) => void firstTouch(seen),
    whyReadOnly: () => readOnly,
    keepOnly: (uids) => {
      // The groups of a pod that has ended are gone, and nothing is written.
      for (const [uid, { seen }] of touched) {
        if (uids.has(uid)) continue
        release(seen)
        touched.delete(uid)
        cgroups.forget(seen.place)
      }
      news.keepOnly(uids)
    },
  }
}

/**
 * What a kubelet may set for a request, in cpu.shares as the writer counts them. Weights are written by
 * the straight line, so that its two forms, shares (v1) and weights (v2), come to the same.
 */
const rules = {
  straight: [
    requestShares,
    (request: number) => sharesOfWeight(conversions.linear(requestShares(request))),
  ],
  bent: (request: number) => sharesOfWeight(conversions.quadratic(requestShares(request))),
}

const requestOf = ({ pod }: SeenPod): number => cpuOfPodGroup(pod.spec).request

type LimitedGroup = { readonly place: CgroupPlace; readonly limit: Millicores | undefined }

/** The pod and its containers, with the limits that the kubelet has set or is about to set. */
function groupsOf(seen: SeenPod, told?: ToldAmounts['limits']): LimitedGroup[] {
  const containers = seen.containers.map(({ name, place, limit }) => ({
    place,
    limit: limit === undefined ? undefined : (Math.max(limit, told?.get(name) ?? 0) as Millicores),
  }))
  const byName = new Map(seen.containers.map(({ name }, i) => [name, containers[i]?.limit]))
  const { limit: whole } = cpuOfPodGroup(seen.pod.spec, ({ name, resources }) =>
    byName.has(name) ? byName.get(name) : cpuIn(resources?.limits),
  )
  return [
    { place: seen.place, limit: whole },
    ...containers.flatMap(({ place, limit }) => (place === undefined ? [] : [{ place, limit }])),
  ]
}

const milliOf = ({ quotaMicros, periodMicros }: CpuSettings): number | undefined =>
  quotaMicros === null ? undefined : (quotaMicros / periodMicros) * 1000

/** systemd rounds a quota up to whole percents of a CPU. */
const isNear = (milli: number | undefined, limit: number | undefined): boolean =>
  milli === undefined || limit === undefined ? milli === limit : Math.abs(milli - limit) <= 10

/** By what the sampler saw: the pod's own group changes with those of its containers. */
function isOther(
  { quotaMicros, periodMicros, burstLimitMicros }: CpuReading,
  wanted: Enforced,
  container: LastingContainer | undefined,
): boolean {
  const amount = quotaFor(wanted, container)
  if (amount === 'asIs') return false
  if (quotaMicros !== (amount === undefined ? null : microsOf(amount, periodMicros))) return true
  const burst = burstBeside({ quotaMicros, periodMicros, limit: container?.limit }, wanted)
  return burstLimitMicros !== undefined && burstLimitMicros !== burst
}

const quotaFor = (
  { quota, quotas }: Enforced,
  container: LastingContainer | undefined,
): Enforced['quota'] => (container && quotas?.get(container.name)) ?? quota

type Bounds = Pick<CpuReading, 'quotaMicros' | 'periodMicros'> & {
  readonly limit: Millicores | undefined
}

/** As much as the quota, but not above the limit: a kubelet cannot set a quota below its burst. */
function burstBeside(
  { quotaMicros, periodMicros, limit }: Bounds,
  { bursts }: Pick<Enforced, 'bursts'>,
): number {
  if (!bursts || quotaMicros === null) return 0
  return Math.min(quotaMicros, limit === undefined ? Infinity : microsOf(limit, periodMicros))
}

/** Undefined quota: as the kubelet set it, which is none. */
function quotaChanges(
  seen: SeenPod,
  wanted: Enforced,
  writer: Pick<CgroupWriter, 'settings'>,
): CpuChange[] {
  return groupsOf(seen).flatMap(({ place, limit }): CpuChange[] => {
    const has = writer.settings(place)
    const container = seen.containers.find((one) => one.place === place)
    const amount = quotaFor(wanted, container)
    if (has === undefined || amount === 'asIs') return []
    const { periodMicros } = has
    const quotaMicros = amount === undefined ? null : microsOf(amount, periodMicros)
    const burstMicros = burstBeside({ quotaMicros, periodMicros, limit }, wanted)
    const isSame =
      has.quotaMicros === quotaMicros &&
      (has.burstMicros === undefined || has.burstMicros === burstMicros)
    return isSame ? [] : [{ place, quotaMicros, burstMicros }]
  })
}

/** One change per group. */
function merge(changes: readonly CpuChange[]): CpuChange[] {
  const merged = new Map<string, CpuChange>()
  for (const change of changes) {
    const name = nameOfPlace(change.place)
    merged.set(name, { ...merged.get(name), ...change })
  }
  return [...merged.values()]
}

/** The least that kernels take, and kubelets set. */
const LEAST_MICROS = 1000

const microsOf = (amount: Millicores, periodMicros: number): number =>
  Math.max(LEAST_MICROS, Math.round((amount * periodMicros) / 1000))
