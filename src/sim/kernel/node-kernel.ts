/**
 * The kernel of one simulated node. Nothing is computed until somebody reads or something changes.
 *
 * As long as its containers could all run at their highest at once, each goes its own way and a read
 * costs what its own stretches cost. On a node that could be full, every change of anyone's demand is
 * looked at in order, and if the CPUs do not suffice, all are told their speeds anew (share.ts).
 *
 * Left out: a bucket of the pod's own. A pod's quota bounds the quotas and bursts of its containers,
 * each for itself, and counts no periods.
 */
import type { Random } from '../../core/random.ts'
import type { Agenda } from '../agenda.ts'
import { createAnswers } from './answers.ts'
import { burstWithin } from './burst-within.ts'
import { checkSettings } from './check-settings.ts'
import { type Container, createContainer } from './container.ts'
import type { CpuSettings, NewContainer, NodeKernel, SimulatedReading } from './kernel.ts'
import { weighByPod } from './pod-weights.ts'
import { type Claim, shareCpus } from './share.ts'

type NodeKernelOptions = {
  readonly agenda: Pick<Agenda, 'now' | 'at'>
  readonly cpus: number
  readonly random: Random
}

type Resident = Container & {
  readonly podUid: string
  readonly number: number
  /** As written; what is in effect may burst less. */
  written: CpuSettings
  readonly onDone: () => void
}

type PodGroup = {
  cpu: CpuSettings
  /** Of containers that were removed. */
  readonly gone: { usedNanos: number; waitedNanos: number }
  readonly number: number
}

export function createNodeKernel({ agenda, cpus, random }: NodeKernelOptions): NodeKernel {
  const residents = new Map<string, Resident>()
  const podGroups = new Map<string, PodGroup>()
  const capacityMilli = cpus * 1000
  /** More may be wanted than there is: by what loads ask for, or by what is still waiting. */
  let couldBeFull = false
  let highestMilli = 0
  let isFull = false
  let usedByGoneNanos = 0
  /** Groups made so far: each has a number of its own. */
  let made = 0
  let crossOut = (): void => {}

  const now = (): number => Math.round(agenda.now() * 1000)

  const find = (id: string): Resident => {
    const found = residents.get(id)
    if (found === undefined) throw new Error(`finding container ${id}: there is none on this node`)
    return found
  }
  const residentsOf = (podUid: string): Resident[] =>
    [...residents.values()].filter((one) => one.podUid === podUid)

  const nextChange = (): number => {
    let first = Infinity
    for (const { changesAt } of residents.values()) first = Math.min(first, changesAt())
    return first
  }

  /** Takes every change of demand up to the moment, in order. */
  const settle = (toMicros: number): void => {
    if (!couldBeFull) return
    for (let moment = nextChange(); moment <= toMicros; moment = nextChange()) {
      for (const one of residents.values()) if (one.changesAt() === moment) one.advanceTo(moment)
      share(moment)
      if (!couldBeFull) return
    }
  }

  const shareOut = (all: readonly Resident[], claims: readonly Claim[]): number[] => {
    const pods = all.map(({ podUid }) => podGroups.get(podUid))
    return shareCpus(weighByPod({ claims, pods, capacityMilli }), capacityMilli)
  }

  const share = (atMicros: number): void => {
    const all = [...residents.values()]
    const claims = all.map(({ claim }) => claim(atMicros))
    const wasFull = isFull
    isFull = claims.reduce((sum, { peakMilli }) => sum + peakMilli, 0) > capacityMilli
    const isShort = claims.reduce((sum, { meanMilli }) => sum + meanMilli, 0) > capacityMilli
    couldBeFull = isShort || highestMilli > capacityMilli
    if (!isFull && !wasFull) return
    const speeds = isFull ? shareOut(all, claims) : claims.map(({ peakMilli }) => peakMilli)
    for (const [i, { setSpeed }] of all.entries()) setSpeed(speeds[i] ?? 0, atMicros)
  }

  /** After anything but demand has changed. */
  const rearrange = (atMicros: number): void => {
    highestMilli = [...residents.values()].reduce((sum, one) => sum + one.highestMilli, 0)
    const couldBefore = couldBeFull
    couldBeFull = highestMilli > capacityMilli
    if (couldBeFull && !couldBefore) for (const one of residents.values()) one.advanceTo(atMicros)
    if (couldBeFull || couldBefore) share(atMicros)
    awaitEnds()
  }

  /** On a node that could be full, others' changes may bring an end forward: none may be missed. */
  const awaitEnds = (): void => {
    crossOut()
    let first = Infinity
    for (const one of residents.values()) {
      if (one.willEnd()) first = Math.min(first, couldBeFull ? nextChange() : one.changesAt())
    }
    if (first < Infinity) crossOut = agenda.at(Math.ceil(first / 1000), tellEnds)
  }

  const tellEnds = (): void => {
    const atMicros = now()
    const going = [...residents.values()].filter((one) => one.willEnd())
    settle(atMicros)
    for (const one of going) one.advanceTo(atMicros)
    awaitEnds()
    for (const one of going) if (!one.willEnd()) one.onDone()
  }

  const setContainer = (id: string, cpu: CpuSettings): void => {
    const one = find(id)
    const above = podGroups.get(one.podUid)?.cpu
    checkSettings(`container ${id}`, cpu, { above, below: [] })
    const atMicros = now()
    settle(atMicros)
    one.written = cpu
    one.setCpu({ ...cpu, burstMicros: burstWithin(cpu, above) }, atMicros)
    rearrange(atMicros)
  }

  const setPod = (podUid: string, group: PodGroup, cpu: CpuSettings): void => {
    const members = residentsOf(podUid)
    const below = members.map(({ written }) => written)
    checkSettings(`pod ${podUid}`, cpu, { above: undefined, below })
    const atMicros = now()
    settle(atMicros)
    group.cpu = cpu
    for (const { written, setCpu } of members) {
      setCpu({ ...written, burstMicros: burstWithin(written, cpu) }, atMicros)
    }
    rearrange(atMicros)
  }

  const readContainer = (one: Resident): SimulatedReading => {
    const atMicros = now()
    settle(atMicros)
    const { usageNanos, periods, throttledPeriods, throttledMicros, bursts, burstNanos } =
      one.counters(atMicros)
    return {
      atMicros,
      usageMicros: Math.floor(usageNanos / 1000),
      periods,
      throttledPeriods,
      throttledMicros,
      burstPeriods: bursts,
      burstMicros: Math.floor(burstNanos / 1000),
      ...readSettings(one.written),
    }
  }

  const readPod = (podUid: string, { cpu, gone }: PodGroup): SimulatedReading => {
    const atMicros = now()
    settle(atMicros)
    const nanos = residentsOf(podUid).reduce(
      (sum, one) => sum + one.counters(atMicros).usageNanos,
      gone.usedNanos,
    )
    const none = { periods: 0, throttledPeriods: 0, throttledMicros: 0 }
    const noBursts = { burstPeriods: 0, burstMicros: 0 }
    const usageMicros = Math.floor(nanos / 1000)
    return { atMicros, usageMicros, ...none, ...noBursts, ...readSettings(cpu) }
  }

  const waitedNanos = (id: string): number | undefined => {
    const atMicros = now()
    settle(atMicros)
    const group = podGroups.get(id)
    if (group === undefined) return residents.get(id)?.waitedNanos(atMicros)
    const { gone } = group
    return residentsOf(id).reduce((sum, one) => sum + one.waitedNanos(atMicros), gone.waitedNanos)
  }

  const usedMicros = (): number => {
    const atMicros = now()
    settle(atMicros)
    let nanos = usedByGoneNanos
    for (const one of residents.values()) nanos += one.counters(atMicros).usageNanos
    return Math.floor(nanos / 1000)
  }

  return {
    add(container: NewContainer) {
      const { id, podUid, cpu, targetMillis, onDone = () => {} } = container
      if (residents.has(id)) throw new Error(`adding container ${id}: it is there already`)
      const above = podGroups.get(podUid)?.cpu
      checkSettings(`container ${id}`, cpu, { above, below: [] })
      const atMicros = now()
      settle(atMicros)
      const phaseMicros = Math.floor(random() * cpu.periodMicros)
      const seed = Math.floor(random() * 2 ** 32)
      const inEffect = { ...container, cpu: { ...cpu, burstMicros: burstWithin(cpu, above) } }
      const answers = createAnswers(targetMillis)
      const started = createContainer(inEffect, { cpus, atMicros, phaseMicros, seed, answers })
      residents.set(id, { ...started, podUid, number: (made += 1), written: cpu, onDone })
      rearrange(atMicros)
    },
    addPod({ podUid, cpu }) {
      if (podGroups.has(podUid)) throw new Error(`adding pod ${podUid}: it is there already`)
      checkSettings(`pod ${podUid}`, cpu, { above: undefined, below: [] })
      const gone = { usedNanos: 0, waitedNanos: 0 }
      podGroups.set(podUid, { cpu, gone, number: (made += 1) })
    },
    set(id, cpu) {
      const group = podGroups.get(id)
      if (group === undefined) setContainer(id, cpu)
      else setPod(id, group, cpu)
    },
    setLoad(id, load) {
      const atMicros = now()
      settle(atMicros)
      const one = find(id)
      residents.set(id, { ...one, ...one.follow(load, atMicros) })
      rearrange(atMicros)
    },
    settings: (id) => residents.get(id)?.written ?? podGroups.get(id)?.cpu,
    identity: (id) => (residents.get(id) ?? podGroups.get(id))?.number.toString(),
    remove(id) {
      if (podGroups.delete(id)) return
      const atMicros = now()
      settle(atMicros)
      const one = find(id)
      const { usageNanos } = one.counters(atMicros)
      usedByGoneNanos += usageNanos
      const group = podGroups.get(one.podUid)
      if (group !== undefined) {
        group.gone.usedNanos += usageNanos
        group.gone.waitedNanos += one.waitedNanos(atMicros)
      }
      residents.delete(id)
      rearrange(atMicros)
    },
    read(id) {
      const one = residents.get(id)
      if (one !== undefined) return readContainer(one)
      const group = podGroups.get(id)
      return group && readPod(id, group)
    },
    latency(id) {
      const atMicros = now()
      settle(atMicros)
      const one = residents.get(id)
      one?.advanceTo(atMicros)
      return one?.latency?.()
    },
    demandedMicros(id) {
      const atMicros = now()
      settle(atMicros)
      return microsOf(residents.get(id)?.demandedNanos(atMicros))
    },
    waitedMicros: (id) => microsOf(waitedNanos(id)),
    usedMicros,
    machine: () => ({ atMicros: now(), usageMicros: usedMicros() }),
  }
}

const microsOf = (nanos: number | undefined): number | undefined =>
  nanos === undefined ? undefined : Math.floor(nanos / 1000)

const readSettings = ({ shares, quotaMicros, periodMicros, burstMicros }: CpuSettings) => ({
  quotaMicros,
  periodMicros,
  burstLimitMicros: burstMicros,
  weight: shares,
})
