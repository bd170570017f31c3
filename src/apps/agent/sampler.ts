/** Measures the containers of this node, from sample to sample. */
import { judgeLook } from '../../core/demand/calm.ts'
import { type DropKind, ratesBetween } from '../../core/demand/rates.ts'
import type { CpuReading } from '../../core/demand/reading.ts'
import { type Around, track, type Tracked } from '../../core/demand/tracker.ts'
import { waitedBetween } from '../../core/demand/waited.ts'
import type { CgroupReader, ContainerPlace } from '../../ports/cgroup.ts'
import type { Log } from '../../ports/log.ts'
import { messages } from './messages.ts'
import type { SeenPod } from './seen-pod.ts'

export type Sampler = {
  /** Reads every container of these pods once, and forgets all others. */
  readonly sample: (pods: readonly SeenPod[], around: Sampling) => SampleCounts
  readonly trackedOf: (containerId: string) => Tracked | undefined
  readonly spellOf: (containerId: string) => Spell | undefined
  /** Between the last two looks at it, calm or not. */
  readonly usedCoresOf: (containerId: string, cpus: number) => number
}

/**
 * Of a container: between the last two times at which its pod had news. It may be calm meanwhile: then
 * the tracker has not taken its last reading yet.
 */
export type Spell = { readonly from: CpuReading; readonly to: CpuReading }

export type Sampling = Pick<Around, 'cpus' | 'smoothing'> & {
  /** CPU is short: how long containers wait for one is worth the look. */
  readonly looksForWaiting: boolean
}

export type SampleCounts = {
  readonly containers: number
  /** Those without a cgroup: not yet, no longer, or looked for in the wrong place. */
  readonly missing: number
  /** Why samples could not be used, one each. */
  readonly dropped: readonly (DropKind | 'unreadable')[]
  /** UIDs of the pods of which something is new: those that are calm wait for their turn. */
  readonly stirred: ReadonlySet<string>
}

type Result = 'taken' | 'calm' | 'missing' | DropKind | 'unreadable'

type Known = {
  readonly place: ContainerPlace
  tracked: Tracked
  /** Read since the tracked one, and not taken yet. */
  calm: CpuReading | undefined
  /** The reading before the last, taken or not. */
  before: CpuReading
  spell: Spell
  /** How long it had waited for a CPU at the tracked reading; undefined while nobody looks. */
  waitingMicros: number | undefined
  /** In which it was seen last. */
  turn: number
}

/** A container without a cgroup, which is looked for ever less often. */
type Absent = {
  /** In turns. */
  wait: number
  /** The turn from which it is looked for again. */
  due: number
  /** In which it was seen last. */
  turn: number
}

/**
 * To look for a cgroup takes 0.3 ms in the agent, which runs no compiled code, and some never come: of
 * pods on a kubelet with another cgroup root, or of a pod with a thousand containers that all start.
 * At so many a turn that is a quarter of its time; those that were not there wait for up to 16 s.
 */
const MOST_LOOKS = 200
const LONGEST_WAIT = 64

type Taken = { readonly now: CpuReading; readonly around: Around; readonly isNews: boolean }

export function createSampler(cgroups: CgroupReader, log: Log): Sampler {
  const known = new Map<string, Known>()
  const absent = new Map<string, Absent>()
  let turn = 0
  let looks = 0

  /** Whether it is looked for in this turn: one that is new, or whose turn it is. */
  const isDue = (containerId: string): boolean => {
    const before = absent.get(containerId)
    if (before !== undefined) before.turn = turn
    if (looks >= MOST_LOOKS || turn < (before?.due ?? 0)) return false
    looks += 1
    return true
  }

  const missed = (containerId: string): Result => {
    known.delete(containerId)
    const wait = Math.min(LONGEST_WAIT, (absent.get(containerId)?.wait ?? 0) * 2 || 1)
    absent.set(containerId, { wait, due: turn + wait, turn })
    return 'missing'
  }

  /** News after calm in two steps, so that the tracker sees the jump; counted as one. */
  const take = (one: Known, { now, around, isNews }: Taken): Result => {
    const { calm, tracked } = one
    one.calm = undefined
    if (calm === undefined || !isNews) {
      one.tracked = track(tracked, now, around)
    } else {
      const jumped = track(track(tracked, calm, around), now, around)
      const whole = ratesBetween(tracked.last, now, around.cpus)
      one.tracked = 'rates' in whole ? { ...jumped, rates: whole.rates } : jumped
    }
    return one.tracked.dropped?.kind ?? 'taken'
  }

  const waitedBy = (one: Known, reading: CpuReading): number => {
    const before = { reading: one.tracked.last, waitingMicros: one.waitingMicros }
    one.waitingMicros = cgroups.waiting?.(one.place)
    return waitedBetween(before, { reading, waitingMicros: one.waitingMicros })
  }

  const sampleOne = (place: ContainerPlace, sampling: Sampling): Result => {
    const { containerId } = place
    const one = known.get(containerId)
    if (one !== undefined) one.turn = turn
    else if (!isDue(containerId)) return 'missing'
    try {
      const now = cgroups.read(place)
      if (now === undefined) return missed(containerId)
      if (one === undefined) {
        absent.delete(containerId)
        const tracked = track(undefined, now, sampling)
        const spell = { from: now, to: now }
        const rest = { calm: undefined, before: now, waitingMicros: undefined }
        known.set(containerId, { place, tracked, spell, turn, ...rest })
        return 'taken'
      }
      const { last: taken, level } = one.tracked
      const before = newestOf(one)
      one.before = before
      const look = level && judgeLook({ taken, before, now, demandCores: level.demand })
      if (look === 'calm') {
        one.calm = now
        return 'calm'
      }
      if (!sampling.looksForWaiting) one.waitingMicros = undefined
      const waitedCores = sampling.looksForWaiting ? waitedBy(one, now) : 0
      return take(one, { now, around: { ...sampling, waitedCores }, isNews: look === 'news' })
    } catch (error) {
      log('warn', 'sample dropped', { container: containerId, error })
      return 'unreadable'
    }
  }

  const endSpell = ({ place }: SeenPod['containers'][number]): void => {
    const one = place && known.get(place.containerId)
    if (one === undefined) return
    one.spell = { from: one.spell.to, to: newestOf(one) }
  }

  const tell = (pod: SeenPod, { containerId }: ContainerPlace): void => {
    const { dropped, rates, level, demandCores } = known.get(containerId)?.tracked ?? {}
    if (dropped !== undefined) {
      log('debug', 'sample dropped', { container: containerId, reason: dropped.dropped })
    } else if (rates !== undefined) {
      const shown = { raw: level?.estimate, smoothed: demandCores }
      const { throttledRatio, seconds } = rates
      const fields = { pod: pod.name, container: containerId, ...shown, throttledRatio, seconds }
      log('debug', messages.demandSample, fields)
    }
  }

  const sample: Sampler['sample'] = (pods, sampling) => {
    turn += 1
    looks = 0
    let containers = 0
    const stirred = new Set<string>()
    const dropped: (DropKind | 'unreadable')[] = []
    let missing = 0
    for (const pod of pods) {
      for (const { place } of pod.containers) {
        if (place === undefined) continue
        containers += 1
        const result = sampleOne(place, sampling)
        if (result === 'calm') continue
        stirred.add(pod.uid)
        tell(pod, place)
        if (result === 'missing') missing += 1
        else if (result !== 'taken') dropped.push(result)
      }
      if (stirred.has(pod.uid)) pod.containers.forEach(endSpell)
    }
    for (const [containerId, { place, turn: seenIn }] of known) {
      if (seenIn === turn) continue
      cgroups.forget(place)
      known.delete(containerId)
    }
    for (const [containerId, { turn: seenIn }] of absent) {
      if (seenIn !== turn) absent.delete(containerId)
    }
    return { containers, missing, dropped, stirred }
  }

  const usedCoresOf: Sampler['usedCoresOf'] = (containerId, cpus) => {
    const one = known.get(containerId)
    if (one === undefined) return 0
    const between = ratesBetween(one.before, newestOf(one), cpus)
    const rates = 'rates' in between ? between.rates : one.tracked.rates
    return rates?.usageCores ?? 0
  }

  return {
    sample,
    trackedOf: (containerId) => known.get(containerId)?.tracked,
    spellOf: (containerId) => known.get(containerId)?.spell,
    usedCoresOf,
  }
}

const newestOf = ({ calm, tracked }: Known): CpuReading => calm ?? tracked.last
