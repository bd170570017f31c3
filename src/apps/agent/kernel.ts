/**
 * Puts quotas and bursts into the kernel, ahead of the API: a raise counts in the same sample.
 *
 * Burst is the quota, but never above what the kubelet is about to set, since it could not lower a
 * quota below its burst: burst is taken back before a decrease is published, and as soon as a pod's
 * spec shows that a person shrinks it.
 */
import type { PlannedGroup } from '../../core/cgroup/write-changes.ts'
import { shareFree } from '../../core/stability/share-free.ts'
import { type Millicores, split, sum } from '../../core/units.ts'
import {
  type CgroupPlace,
  type CgroupWriter,
  type CpuChange,
  nameOfPlace,
} from '../../ports/cgroup.ts'
import type { Log } from '../../ports/log.ts'
import type { ToldAmounts } from './allocation.ts'
import type { Charge, Measured } from './charge.ts'
import { createNews } from './news.ts'
import type { Ward } from './protect.ts'
import type { SeenPod } from './seen-pod.ts'

export type Kernel = {
  /** Moves the quota of a pod, and its burst with it; false if the kernel did not take it. */
  readonly move: (ward: Ward, to: Millicores) => boolean
  /** Burst as it should be: at once where a limit is about to fall. */
  readonly keepBurst: (ward: Ward) => void
  /** Undoes what was done to a pod, down to what it has or is about to get. */
  readonly release: (pod: SeenPod, told?: ToldAmounts['limits']) => void
  /** Undoes what an agent before us did to a pod. */
  readonly undo: (pod: SeenPod) => void
  /** Forgets the pods that are gone; of one that only we cannot see any longer all is undone first. */
  readonly keepOnly: (uids: ReadonlySet<string>) => void
}

type KernelNeeds = {
  readonly writer: CgroupWriter
  readonly log: Log
  readonly usesBurst: boolean
}

export function createKernel({ writer, log, usesBurst }: KernelNeeds): Kernel {
  const news = createNews()
  /** By UID: the pods of which something is to be undone. */
  const touched = new Map<string, Touch>()
  /** Pods that were measured once: what moves their quotas since is either us or the kubelet. */
  const looked = new Set<string>()
  /** As they were when we last had to do with them. */
  const lastSeen = new Map<string, SeenPod>()

  const touch = (uid: string): Touch => {
    const known = touched.get(uid) ?? { isInherited: false, quotas: new Map() }
    touched.set(uid, known)
    return known
  }
  const lookOnce = (uid: string, measured: readonly Measured[]): void => {
    if (!looked.has(uid) && measured.some(isMoved)) touch(uid).isInherited = true
    looked.add(uid)
  }

  const noteQuota = (uid: string, { place, states }: PlannedGroup<CgroupPlace>): void => {
    const [from, to] = [states[0]?.quotaMicros, states.at(-1)?.quotaMicros]
    if (to !== undefined && to !== from) touch(uid).quotas.set(nameOfPlace(place), to)
  }

  const write = ({ uid, namespace, name, place }: SeenPod, changes: readonly CpuChange[]) => {
    const pod = `${namespace}/${name}`
    const readOnly = touched.has(uid) ? undefined : writer.whyReadOnly(place)
    const { wrote, refused } =
      readOnly === undefined
        ? writer.write(changes, (planned) => planned.forEach((group) => noteQuota(uid, group)))
        : { wrote: [], refused: [readOnly] }
    if (wrote.length > 0) log('debug', 'kernel moved', { pod, wrote })
    if (news.isNew(uid, refused.join('; '))) log('warn', 'kernel not moved', { pod, refused })
    return refused.length === 0
  }

  const apply = ({ seen, charge, measured }: Ward, quotas: readonly Millicores[]): boolean => {
    lookOnce(seen.uid, measured)
    lastSeen.set(seen.uid, seen)
    const bursts = usesBurst && seen.options.allowsBurst
    const wanted = measured.map((container, i): Wanted => {
      const quota = quotas[i] ?? container.quota
      const burst = bursts ? burstOf(container, quota, charge) : (0 as Millicores)
      return { container, quota, burst: touched.has(seen.uid) || bursts ? burst : undefined }
    })
    if (!wanted.some(differs)) return true
    const { periodMicros } = measured[0] ?? { periodMicros: 100_000 }
    const isMove = wanted.some(({ container, quota }) => quota !== container.quota)
    const changes = changesOf(seen, wanted, periodMicros)
    const done = write(seen, isMove ? changes : changes.map(withoutQuota))
    if (done) touch(seen.uid)
    return done
  }

  /**
   * Raises nothing, and lowers only what we or an agent before us raised: a quota that is another may be
   * the kubelet's, newer than the spec that we know.
   */
  const undoneAt = (place: CpuChange['place'], most: Millicores, by: Touch): CpuChange[] => {
    const has = writer.settings(place)
    if (has === undefined) return [] // what has ended has nothing left to undo
    const { quotaMicros, periodMicros } = has
    const wrote = by.quotas.get(nameOfPlace(place))
    const isOurs = wrote === undefined ? by.isInherited : wrote === quotaMicros
    if (quotaMicros === null || !isOurs) return [{ place, burstMicros: 0 }]
    const capped = Math.min(quotaMicros, microsOf(most, periodMicros))
    return [{ place, burstMicros: 0, quotaMicros: capped }]
  }

  const release: Kernel['release'] = (seen, told) => {
    const by = touched.get(seen.uid)
    // Of one that became too large to be read it is not known what it should have: once it is again.
    if (by === undefined || seen.pod.unread !== undefined) return
    const bounds = seen.containers.flatMap(({ name, place, limit }) =>
      limit === undefined ? [] : [{ place, most: maxOf(limit, told?.get(name) ?? limit) }],
    )
    const ofPod = { place: seen.place, most: sum(bounds.map(({ most }) => most)) }
    const changes = [ofPod, ...bounds].flatMap(({ place, most }) =>
      place === undefined ? [] : undoneAt(place, most, by),
    )
    write(seen, changes)
    touched.delete(seen.uid)
  }

  return {
    move: (ward, to) => apply(ward, quotasFor(ward, to)),
    keepBurst: (ward) => void apply(ward, []),
    release,
    undo: (seen) => {
      touch(seen.uid).isInherited = true
      release(seen)
    },
    keepOnly: (uids) => {
      // The groups of a pod that has ended are gone, and nothing is written.
      for (const [uid, seen] of lastSeen) {
        if (uids.has(uid)) continue
        release(seen)
        lastSeen.delete(uid)
      }
      for (const uid of touched.keys()) if (!uids.has(uid)) touched.delete(uid)
      for (const uid of looked) if (!uids.has(uid)) looked.delete(uid)
      news.keepOnly(uids)
    },
  }
}

type Touch = {
  /** An agent before us, which was killed, may have moved its quotas. */
  isInherited: boolean
  /** What we set last, by the name of the group; null is no limit. */
  readonly quotas: Map<string, number | null>
}

type Wanted = {
  readonly container: Measured
  readonly quota: Millicores
  /** Undefined: as it is. */
  readonly burst: Millicores | undefined
}

const differs = ({ container, quota, burst }: Wanted): boolean =>
  quota !== container.quota ||
  (burst !== undefined &&
    container.burstLimitMicros !== undefined &&
    microsOf(burst, container.periodMicros) !== container.burstLimitMicros)

/** By an agent that was killed, since we did nothing: it is ours to undo. */
const isMoved = ({ quota, limit, burstLimitMicros = 0 }: Measured): boolean =>
  quota !== limit || burstLimitMicros > 0

/** The pod's own group holds the sum, as the kubelet sets it: a burst within needs one there too. */
function changesOf(seen: SeenPod, wanted: readonly Wanted[], periodMicros: number): CpuChange[] {
  const micros = (amount: Millicores): number => microsOf(amount, periodMicros)
  const changeOf = (place: CpuChange['place'], { quota, burst }: Omit<Wanted, 'container'>) => ({
    place,
    quotaMicros: micros(quota),
    ...(burst !== undefined && { burstMicros: micros(burst) }),
  })
  const bursts = wanted.flatMap(({ burst }) => burst ?? [])
  const pod = {
    quota: sum(wanted.map(({ quota }) => quota)),
    burst: bursts.length === 0 ? undefined : sum(bursts),
  }
  return [
    changeOf(seen.place, pod),
    ...wanted.map(({ container: { place }, ...one }) => changeOf(place, one)),
  ]
}

/** The reading may be from before the kubelet's last write, which must stand. */
const withoutQuota = ({ quotaMicros: _quota, ...change }: CpuChange): CpuChange => change

const maxOf = (a: Millicores, b: Millicores): Millicores => Math.max(a, b) as Millicores

const microsOf = (amount: Millicores, periodMicros: number): number =>
  Math.round((amount * periodMicros) / 1000)

/** By what each container wants; a raise lowers none, and a fall goes no lower than the spec. */
function quotasFor({ measured }: Ward, to: Millicores): Millicores[] {
  const change = to - sum(measured.map(({ quota }) => quota))
  const room = measured.map(({ law, quota, limit }) =>
    change > 0 ? Math.round(law.quotaCores * 1000) - quota : quota - limit,
  )
  const wishes = measured.map(({ name }, i) => {
    const wish = Math.max(0, room[i] ?? 0)
    return { id: name, wish, distance: wish }
  })
  const shares = shareFree(Math.abs(change), wishes)
  const rest = Math.max(0, change - shares.reduce((all, share) => all + share, 0)) as Millicores
  // The guardrail raises where throttling does not tell who wants it.
  const more = split(
    rest,
    measured.map(({ quota }) => quota),
  )
  return measured.map(({ quota }, i) => {
    const moved = Math.sign(change) * (shares[i] ?? 0) + (more[i] ?? 0)
    return (quota + moved) as Millicores
  })
}

const burstOf = ({ name, limit }: Measured, quota: Millicores, { limits }: Charge): Millicores =>
  Math.min(quota, limit, limits.get(name) ?? limit) as Millicores
