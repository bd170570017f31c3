/**
 * Puts weights and quotas of pods into the kernel, and brings back what the kubelet set.
 *
 * The weight is that of the pod's group; the weights of its containers, which share it, stay what their
 * requests make them. The groups above (`burstable`, `besteffort`) are the kubelet's and are left alone.
 * A quota is written to the pod and its containers alike: who has a limit may use idle CPU beyond it,
 * and who has none is held to a ceiling.
 *
 * The kubelet writes all of it anew when a pod is created or resized, and systemd when its units are
 * reloaded: what they wrote is what comes back at the end, and ours is put in its place. A weight is read
 * whenever it is enforced: at every sample, of a calm pod about once a second and of an idle one every
 * two. Quotas are read about once a second then, and at once where the weight or the pod's object has
 * changed. With somebody who writes the weight at every sample nobody fights: it is let be for a minute,
 * and quotas, which are ceilings, are not.
 */
import { conversions, requestShares, sharesOfWeight } from '../../core/cgroup/weight.ts'
import type { PlannedGroup } from '../../core/cgroup/write-changes.ts'
import type { CpuReading } from '../../core/demand/reading.ts'
import {
  afterWrite,
  CONTEST,
  isDue,
  isResting,
  lookAt,
  type Watched,
} from '../../core/enforcement/contest.ts'
import { isSameWeight } from '../../core/enforcement/weigh.ts'
import type { Millis } from '../../core/units.ts'
import {
  type CgroupPlace,
  type CgroupReader,
  type CgroupWriter,
  type CpuChange,
  nameOfPlace,
} from '../../ports/cgroup.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { ToldAmounts } from './allocation.ts'
import { cpuOfPodGroup } from './pod-group.ts'
import {
  groupsOf,
  isNear,
  isOther,
  type LimitedGroup,
  milliOf,
  quotaChanges,
  undoneQuota,
  type WantedQuota,
} from './pod-quotas.ts'
import type { SeenPod } from './seen-pod.ts'

export type Enforced = WantedQuota & {
  /** In cpu.shares. */
  readonly shares: number
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
  /** Puts right what others wrote to a pod since it was last enforced, if its weight shows that they did. */
  readonly mend: (uid: string) => void
  /** Brings back what the kubelet set, or is about to set. */
  readonly release: (pod: SeenPod, told?: ToldAmounts['limits']) => void
  /** Whether an agent before us left something on a pod that we have not touched. */
  readonly isLeftOn: (pod: SeenPod) => boolean
  /** What an agent before us left on a pod counts as ours, and is released like it. */
  readonly takeOver: (pod: SeenPod) => void
  /** Why weights cannot be written, with the remedy; undefined if they can, as far as is known. */
  readonly whyReadOnly: () => string | undefined
  /**
   * What an untouched pod of this request weighs in the kernel, in cpu.shares: by the rule that the
   * kubelet of this node follows, as far as pods that nobody touched have shown it.
   */
  readonly kubeletShares: (request: number) => number
  /** Forgets the pods that are gone; of one that only we cannot see any longer all is undone first. */
  readonly keepOnly: (uids: ReadonlySet<string>) => void
}

type KernelNeeds = {
  readonly writer: CgroupWriter
  readonly cgroups: Pick<CgroupReader, 'weightOf' | 'quotaOf' | 'forget'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

/** What was done to a pod. */
type Touch = {
  /** As the kubelet set it, with the request that it was set for; undefined: not seen. */
  found: { readonly shares: number; readonly request: number } | undefined
  /** As we set it; undefined while we have not. */
  weight: Watched | undefined
  /** What we set last, by the name of the group; null is no limit. */
  readonly quotas: Map<string, number | null>
  seen: SeenPod
  /** What was last enforced, and what its containers had then. */
  last: { readonly wanted: Enforced; readonly has: readonly CpuReading[] } | undefined
  /** Something was, so that it can be. */
  isWritten: boolean
  /** The last write of each, if it was refused: one holds up no other. */
  readonly refused: { [part in Part]?: Refusal | undefined }
}

const PARTS = ['weight', 'quotas'] as const
type Part = (typeof PARTS)[number]

type Changes = Readonly<Record<Part, readonly CpuChange[]>>

type Refusal = {
  readonly words: string
  readonly until: Millis
  /** Another quota is tried at once. */
  readonly quota?: WantedQuota['quota']
}

/** What the kernel refused is not tried again at every sample. */
const REFUSED_MILLIS = 10_000

export function createKernel({ writer, cgroups, clock, log }: KernelNeeds): Kernel {
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
      weight:
        isTheirs || shares === undefined
          ? undefined
          : afterWrite(undefined, { asked: shares, stands: shares }),
      quotas: new Map(),
      seen,
      last: undefined,
      isWritten: false,
      refused: {},
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

  const write = (touch: Touch, changes: Changes, quota?: WantedQuota['quota']): void => {
    const due = PARTS.filter((part) => changes[part].length > 0)
    if (due.length === 0) return
    const { seen } = touch
    const why = touch.isWritten ? undefined : writer.whyReadOnly(seen.place)
    const until = (clock.now() + REFUSED_MILLIS) as Millis
    const wrote: string[] = []
    const refused = new Set<string>()
    for (const part of due) {
      // What is brought back is not ours; what is refused of it still is.
      const noted = quota === 'asIs' ? undefined : note(touch)
      const done =
        why === undefined ? writer.write(changes[part], noted) : { wrote: [], refused: [why] }
      wrote.push(...done.wrote)
      const words = done.refused.join('; ')
      if (words !== touch.refused[part]?.words) for (const one of done.refused) refused.add(one)
      touch.refused[part] = words === '' ? undefined : { words, until, quota }
    }
    if (wrote.length > 0) touch.isWritten = true
    if (wrote.length > 0 || why !== undefined) readOnly = why
    const pod = `${seen.namespace}/${seen.name}`
    if (wrote.length > 0) log('debug', 'kernel written', { pod, wrote })
    if (refused.size > 0) log('warn', 'kernel not written', { pod, refused: [...refused] })
  }

  /** What stands there, unless it is left alone, and whether somebody else wrote it since the last look. */
  const lookAtWeight = (touch: Touch): { stands?: number; isForeign: boolean } => {
    const { seen, weight } = touch
    const now = clock.now()
    if (weight !== undefined && isResting(weight, now)) return { isForeign: false }
    const stands = weightOf(seen.place)
    if (stands === undefined) return { isForeign: false }
    const { watched, news } =
      weight === undefined ? { news: undefined } : lookAt(weight, stands, now)
    const isForeign = weight === undefined ? stands !== touch.found?.shares : news !== undefined
    touch.weight = watched
    if (isForeign) touch.found = { shares: stands, request: requestOf(seen) }
    if (news === 'contested') {
      const pod = `${seen.namespace}/${seen.name}`
      const { writes, restMillis } = CONTEST
      log('warn', 'weight contested', { pod, writes, pauseSeconds: restMillis / 1000 })
    }
    return { stands, isForeign }
  }

  /** What the kubelet set may be what is wanted. */
  const isWeightDue = ({ weight, refused }: Touch, stands: number, shares: number): boolean => {
    const now = clock.now()
    if (refused.weight !== undefined && now < refused.weight.until) return false
    return weight === undefined ? !isSameWeight(stands, shares) : isDue(weight, shares, now)
  }

  const isQuotaPaused = ({ refused: { quotas } }: Touch, { quota }: WantedQuota): boolean =>
    quotas !== undefined && clock.now() < quotas.until && quotas.quota === quota

  const isPodOther = (seen: SeenPod, wanted: WantedQuota): boolean => {
    const has =
      cgroups.quotaOf === undefined ? writer.settings(seen.place) : cgroups.quotaOf(seen.place)
    return has !== undefined && isOther(has, wanted, undefined)
  }

  const enforce: Kernel['enforce'] = (seen, wanted, has) => {
    const known = touched.get(seen.uid)
    const touch = known ?? firstTouch(seen)
    const isChanged = known === undefined || touch.seen.pod !== seen.pod
    touch.seen = seen
    touch.last = { wanted, has }
    const { place, containers } = seen
    const { shares } = wanted
    const { stands, isForeign } = lookAtWeight(touch)
    const isLeft = wanted.quota === 'asIs' && touch.quotas.size > 0
    const isOff =
      isChanged ||
      isForeign ||
      isLeft ||
      has.some((reading, i) => isOther(reading, wanted, containers[i])) ||
      isPodOther(seen, wanted)
    const weight =
      stands !== undefined && isWeightDue(touch, stands, shares) ? [{ place, shares }] : []
    const ours = touch.quotas
    const isQuotaDue = isOff && !isQuotaPaused(touch, wanted)
    const quotas = isQuotaDue ? quotaChanges(seen, wanted, { writer, ours }) : []
    write(touch, { weight, quotas }, wanted.quota)
    const isUndone = quotas.length === 0 || touch.refused.quotas === undefined
    if (isLeft && isQuotaDue && isUndone) ours.clear()
    if (weight.length > 0 && touch.refused.weight === undefined) {
      touch.weight = afterWrite(touch.weight, { asked: shares, stands: weightOf(place) })
    }
    if (touch.weight?.isOurs === true) return touch.weight.stands
    return stands !== undefined && isSameWeight(stands, shares) ? stands : undefined
  }

  const mend: Kernel['mend'] = (uid) => {
    const { seen, weight, last } = touched.get(uid) ?? {}
    if (seen === undefined || last === undefined || weight?.isOurs !== true) return
    const stands = weightOf(seen.place)
    if (stands !== undefined && stands !== weight.stands) enforce(seen, last.wanted, last.has)
  }

  const undoneAt = (touch: Touch, group: LimitedGroup): CpuChange[] => {
    const { place } = group
    const has = writer.settings(place)
    if (has === undefined) return [] // what has ended has nothing left to undo
    const quotaMicros = undoneQuota(group, has, touch.quotas)
    return [{ place, burstMicros: 0, ...(quotaMicros !== undefined && { quotaMicros }) }]
  }

  const restoreWeight = (touch: Touch): CpuChange[] => {
    const { seen, found, weight } = touch
    const has = weightOf(seen.place)
    if (weight?.isOurs !== true || has === undefined || has !== weight.stands) return []
    const request = requestOf(seen)
    const back = found?.request === request ? found.shares : expected(request)
    return [{ place: seen.place, shares: back }]
  }

  const release: Kernel['release'] = (seen, told) => {
    const touch = touched.get(seen.uid)
    // Of one that became too large to be read it is not known what it should have: once it is again.
    if (touch === undefined || seen.pod.unread !== undefined) return
    touch.seen = seen
    const quotas = groupsOf(seen, told).flatMap((group) => undoneAt(touch, group))
    write(touch, { weight: restoreWeight(touch), quotas })
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
    mend,
    release,
    isLeftOn,
    takeOver: (seen) => void firstTouch(seen),
    whyReadOnly: () => readOnly,
    kubeletShares: (request) => expected(request),
    keepOnly: (uids) => {
      // The groups of a pod that has ended are gone, and nothing is written.
      for (const [uid, { seen }] of touched) {
        if (uids.has(uid)) continue
        release(seen)
        touched.delete(uid)
        cgroups.forget(seen.place)
      }
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
