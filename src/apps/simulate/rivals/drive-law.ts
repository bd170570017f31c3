/**
 * Lets a law of others set the quotas of all containers with a limit, at its own rhythm and straight in
 * the kernel, as Koordinator's koordlet and Autothrottle's Captain do: requests stay as they are.
 */
import { type CpuRates, ratesBetween } from '../../../core/demand/rates.ts'
import type { CpuReading } from '../../../core/demand/reading.ts'
import type { Law } from '../../../core/rivals/law.ts'
import { type Millicores, millicores, type Millis } from '../../../core/units.ts'
import type { ContainerPlace, CpuChange } from '../../../ports/cgroup.ts'
import { every } from '../../../runtime/every.ts'
import type { StagedPod } from '../roster.ts'
import type { Stage, StageNode } from '../stage.ts'
import { isBestEffort } from './suppress-best-effort.ts'

export async function driveLaw<State>(
  law: Law<State>,
  { clock, log, nodes, roster }: Stage,
  signal: AbortSignal,
): Promise<void> {
  const turns = nodes.map((node) => createTurn(law, node))
  const rhythm = { interval: law.every, clock, log, signal, doing: `driving ${law.name}` }
  await every(rhythm, () => {
    for (const turn of turns) turn(roster, clock.now())
  })
}

type Driven<State> = {
  readonly reading: CpuReading
  /** Undefined without a limit: there is nothing to set. */
  readonly law: { readonly state: State; readonly quota: Millicores } | undefined
}

type Seen<State> = {
  readonly place: ContainerPlace
  readonly limitMilli: number | undefined
  readonly reading: CpuReading
  readonly before: Driven<State> | undefined
  /** Undefined at first sight. */
  readonly rates: CpuRates | undefined
}

/** Koordinator's, for the use of the pool. */
const POOL_AVERAGE_MILLIS = 5000

/** One look at all containers of a node, and what follows from it. */
function createTurn<State>(law: Law<State>, node: StageNode) {
  let driven = new Map<string, Driven<State>>()
  /** Of the pool, by the last samples. */
  let used: readonly number[] = []
  const averaged = Math.ceil(POOL_AVERAGE_MILLIS / law.every)

  const see = ({ containers }: StagedPod): Seen<State>[] =>
    containers.flatMap(({ place, limitMilli }) => {
      const reading = place && node.cgroups.read(place)
      if (place === undefined || reading === undefined) return []
      const before = driven.get(place.containerId)
      const measured = before && ratesBetween(before.reading, reading, node.cpus)
      const rates = measured && 'rates' in measured ? measured.rates : undefined
      return [{ place, limitMilli, reading, before, rates }]
    })

  const decide = ({ limitMilli, before, rates }: Seen<State>, now: Now): Driven<State>['law'] => {
    if (limitMilli === undefined) return undefined
    if (before?.law === undefined) {
      const quota = millicores(limitMilli)
      return { state: law.start(quota, now.at), quota }
    }
    if (rates === undefined) return before.law
    const { seconds, usageCores, throttledPeriods } = rates
    return law.decide(before.law.state, { ...now, seconds, usageCores, throttledPeriods })
  }

  return (roster: Stage['roster'], at: Millis): void => {
    const pods = roster.on(node.name).map((pod) => ({ pod, seen: see(pod) }))
    // Best-effort pods are no part of the pool, as Koordinator counts it.
    const inPool = pods.filter(({ pod }) => !isBestEffort(pod)).flatMap(({ seen }) => seen)
    const usedNow = inPool.reduce((sum, { rates }) => sum + (rates?.usageCores ?? 0), 0)
    used = [...used, usedNow].slice(-averaged)
    const mean = used.reduce((sum, cores) => sum + cores, 0) / used.length
    const sharePoolRatio = mean / node.cpus
    const next = new Map<string, Driven<State>>()
    for (const { pod, seen } of pods) {
      const sized = seen.map((one): Sized & { readonly isNews: boolean } => {
        const { place, reading, before } = one
        const decision = decide(one, { at, sharePoolRatio })
        next.set(place.containerId, { reading, law: decision })
        return { place, quota: decision?.quota, isNews: decision?.quota !== before?.law?.quota }
      })
      if (sized.some(({ isNews }) => isNews)) {
        node.writer.write(changesFor(pod, sized, law.burstRatio))
      }
    }
    driven = next
  }
}

type Now = { readonly at: Millis; readonly sharePoolRatio: number }

type Sized = { readonly place: ContainerPlace; readonly quota: Millicores | undefined }

/** The kubelet's; nobody here changes it. */
const PERIOD_MICROS = 100_000

/** A pod's own group has what its containers have together, and no quota if one of them has none. */
function changesFor(pod: StagedPod, sized: readonly Sized[], burstRatio: number): CpuChange[] {
  const changeOf = (place: CpuChange['place'], milli: number): CpuChange => {
    const quotaMicros = (milli * PERIOD_MICROS) / 1000
    return { place, quotaMicros, burstMicros: Math.floor(quotaMicros * burstRatio) }
  }
  const changes = sized.flatMap(({ place, quota }) =>
    quota === undefined ? [] : [changeOf(place, quota)],
  )
  if (changes.length < pod.containers.length) return changes
  const total = sized.reduce((sum, { quota = 0 }) => sum + quota, 0)
  return [changeOf(pod.place, total), ...changes]
}
