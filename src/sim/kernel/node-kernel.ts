/**
 * The kernel of one simulated node. Nothing is computed until somebody reads or something changes.
 *
 * As long as its containers could all run at their highest at once, each goes its own way and a read
 * costs what its own stretches cost. On a node that could be full, every change of anyone's demand is
 * looked at in order, and if the CPUs do not suffice, all are told their speeds anew (share.ts).
 */
import { InvalidInput } from '../../core/errors.ts'
import type { Random } from '../../core/random.ts'
import type { Agenda } from '../agenda.ts'
import { type Container, createContainer } from './container.ts'
import type { CpuSettings, NewContainer, NodeKernel } from './kernel.ts'
import { shareCpus } from './share.ts'

type NodeKernelOptions = {
  readonly agenda: Pick<Agenda, 'now' | 'at'>
  readonly cpus: number
  readonly random: Random
}

type Resident = Container & { readonly onDone: () => void }

export function createNodeKernel({ agenda, cpus, random }: NodeKernelOptions): NodeKernel {
  const residents = new Map<string, Resident>()
  const capacityMilli = cpus * 1000
  let couldBeFull = false
  let isFull = false
  let usedByGoneNanos = 0
  let crossOut = (): void => {}

  const now = (): number => Math.round(agenda.now() * 1000)

  const find = (id: string): Resident => {
    const found = residents.get(id)
    if (found === undefined) throw new Error(`finding container ${id}: there is none on this node`)
    return found
  }

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
    }
  }

  const share = (atMicros: number): void => {
    const all = [...residents.values()]
    const claims = all.map(({ claim }) => claim(atMicros))
    const wasFull = isFull
    isFull = claims.reduce((sum, { peakMilli }) => sum + peakMilli, 0) > capacityMilli
    if (!isFull && !wasFull) return
    const speeds = isFull
      ? shareCpus(claims, capacityMilli)
      : claims.map(({ peakMilli }) => peakMilli)
    for (const [i, { setSpeed }] of all.entries()) setSpeed(speeds[i] ?? 0, atMicros)
  }

  /** After anything but demand has changed. */
  const rearrange = (atMicros: number): void => {
    const highest = [...residents.values()].reduce((sum, one) => sum + one.highestMilli, 0)
    const couldBefore = couldBeFull
    couldBeFull = highest > capacityMilli
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

  return {
    add(container: NewContainer) {
      const { id, cpu, onDone = () => {} } = container
      if (residents.has(id)) throw new Error(`adding container ${id}: it is there already`)
      check(id, cpu)
      const atMicros = now()
      settle(atMicros)
      const phaseMicros = Math.floor(random() * cpu.periodMicros)
      const seed = Math.floor(random() * 2 ** 32)
      const made = createContainer(container, { cpus, atMicros, phaseMicros, seed })
      residents.set(id, { ...made, onDone })
      rearrange(atMicros)
    },
    set(id, cpu) {
      check(id, cpu)
      const atMicros = now()
      settle(atMicros)
      find(id).setCpu(cpu, atMicros)
      rearrange(atMicros)
    },
    remove(id) {
      const atMicros = now()
      settle(atMicros)
      usedByGoneNanos += find(id).counters(atMicros).usageNanos
      residents.delete(id)
      rearrange(atMicros)
    },
    read(id) {
      const one = residents.get(id)
      if (one === undefined) return undefined
      const atMicros = now()
      settle(atMicros)
      const { usageNanos, periods, throttledPeriods, throttledMicros, bursts, burstNanos } =
        one.counters(atMicros)
      const { quotaMicros, periodMicros, shares } = one.cpu()
      return {
        atMicros,
        usageMicros: Math.floor(usageNanos / 1000),
        periods,
        throttledPeriods,
        throttledMicros,
        quotaMicros,
        periodMicros,
        weight: shares,
        burstPeriods: bursts,
        burstMicros: Math.floor(burstNanos / 1000),
      }
    },
    latency(id) {
      const atMicros = now()
      settle(atMicros)
      const one = residents.get(id)
      one?.advanceTo(atMicros)
      return one?.latency?.()
    },
    usedMicros() {
      const atMicros = now()
      settle(atMicros)
      let nanos = usedByGoneNanos
      for (const one of residents.values()) nanos += one.counters(atMicros).usageNanos
      return Math.floor(nanos / 1000)
    },
  }
}

/** What the kernel answers with EINVAL. */
function check(id: string, { shares, quotaMicros, periodMicros, burstMicros }: CpuSettings): void {
  const refuse = (what: string, got: number): never => {
    throw new InvalidInput(`setting CPU of container ${id}: expected ${what}, got ${got}`)
  }
  if (shares < 2) refuse('shares from 2', shares)
  if (periodMicros < 1000 || periodMicros > 1_000_000)
    refuse('a period of 1 ms to 1 s', periodMicros)
  if (quotaMicros === null) return
  if (quotaMicros < 1000) refuse('a quota of at least 1 ms', quotaMicros)
  if (burstMicros > quotaMicros) refuse('a burst of at most the quota', burstMicros)
}
