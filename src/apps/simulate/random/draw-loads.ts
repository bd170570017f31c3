/** Workloads drawn at random: what their pods do with CPU, and what their owners want of them. */
import type { Chance } from './chance.ts'

export type DrawnLoad = {
  readonly name: string
  readonly replicas: number
  /** Of each pod, mean over time, before all are scaled to the nodes. */
  readonly cores: number
  /** Its size is what it is, and not scaled. */
  readonly isFixed: boolean
  readonly targetMillis?: number
  readonly weight?: number
  /** As a load, for so many cores on average. */
  readonly text: (cores: number) => string
  /** Loads that it changes to later. */
  readonly turns: (
    cores: number,
    seconds: number,
  ) => readonly { readonly name: string; readonly at: number; readonly text: string }[]
}

const weights = [0.2, 0.5, 2, 4, 8]

const drawWeight = (chance: Chance): { readonly weight?: number } =>
  chance.is(0.3) ? { weight: chance.oneOf(weights) } : {}

const noTurns = (): readonly never[] => []

/** Three of four have a target: 12 to 30 times what a request takes on average, 50 ms at least. */
export function drawService(chance: Chance, name: string): DrawnLoad {
  const cpuMillis = chance.spread(2, 30)
  const rest = `cpu=${Math.round(cpuMillis * 1000)}us spread=${chance.oneOf(['fixed', 'exponential', 'exponential', 'heavy', 'spikes'])} threads=${chance.oneOf([4, 8])}`
  const rateOf = (cores: number): number => Math.max(0.1, (cores * 1000) / cpuMillis)
  const steady = (cores: number): string => `requests rate=${rateOf(cores).toFixed(2)} ${rest}`
  const target = Math.max(50, Math.round(cpuMillis * chance.between(12, 30)))
  const own = {
    name,
    replicas: chance.whole(1, 3),
    cores: chance.spread(0.2, 1),
    isFixed: false,
    ...(chance.is(0.75) && { targetMillis: target }),
    ...drawWeight(chance),
  }
  const shape = chance.oneOf(['steady', 'steady', 'tides', 'bursts', 'on and off'] as const)
  if (shape === 'steady') return { ...own, text: steady, turns: noTurns }
  if (shape === 'tides') return { ...own, ...drawTides(chance, { rateOf, rest }), turns: noTurns }
  const isBurst = shape === 'bursts'
  return { ...own, ...drawTurns(chance, { name, steady, isBurst }) }
}

type Requests = { readonly rateOf: (cores: number) => number; readonly rest: string }

/** A day in 60 to 240 s. */
function drawTides(chance: Chance, { rateOf, rest }: Requests): Pick<DrawnLoad, 'text'> {
  const depth = chance.between(0.3, 0.9)
  const every = chance.whole(60, 240)
  return {
    text: (cores) => {
      const [low, high] = [rateOf(cores * (1 - depth)), rateOf(cores * (1 + depth))]
      return `requests rate=${low.toFixed(2)} peak=${high.toFixed(2)} every=${every}s ${rest}`
    },
  }
}

type Turning = {
  readonly name: string
  readonly steady: (cores: number) => string
  readonly isBurst: boolean
}

/** High for a while, low for a while: bursts of seconds, or on and off for a quarter to a whole minute. */
function drawTurns(
  chance: Chance,
  { name, steady, isBurst }: Turning,
): Pick<DrawnLoad, 'text' | 'turns'> {
  const high = isBurst ? chance.whole(2, 6) : chance.whole(15, 60)
  const low = isBurst ? chance.whole(10, 30) : chance.whole(15, 60)
  const ratio = isBurst ? chance.between(2, 4) : (high + low) / high
  const rest = Math.max(0.05, (high + low - high * ratio) / low)
  return {
    text: (cores) => steady(cores * rest),
    turns: (cores, seconds) => {
      const turns: { name: string; at: number; text: string }[] = []
      for (let at = low; at + high <= seconds; at += high + low) {
        turns.push({ name, at, text: steady(cores * ratio) })
        turns.push({ name, at: at + high, text: steady(cores * rest) })
      }
      return turns
    },
  }
}

/** Batch work: it takes what it gets, always or in bouts. */
export function drawJob(chance: Chance, name: string): DrawnLoad {
  const threads = chance.whole(1, 6)
  const own = { name, replicas: chance.whole(1, 2), isFixed: true, ...drawWeight(chance) }
  if (chance.is(0.5)) {
    const cores = chance.between(0.5, threads)
    const text = (): string => `steady cpu=${Math.round(cores * 1000)}m threads=${threads}`
    return { ...own, cores: Math.min(cores, 1), text, turns: noTurns }
  }
  const every = chance.whole(10, 60)
  const lasts = Math.max(1, Math.floor(every * chance.between(0.1, 0.5)))
  const kind = chance.oneOf(['bursty', 'spiky'])
  const text = (): string =>
    `${kind} low=50m high=${threads} every=${every}s for=${lasts}s threads=${threads}`
  return { ...own, cores: Math.min(1, (threads * lasts) / every), text, turns: noTurns }
}

/** Use that grows and grows. */
export function drawLeak(chance: Chance): DrawnLoad {
  const most = chance.whole(1, 4)
  const text = (): string => `ramp from=100m to=${most} over=${chance.whole(200, 340)}s`
  const drawn = text()
  return {
    name: 'leak',
    replicas: 1,
    cores: Math.min(1, most / 2),
    isFixed: true,
    text: () => drawn,
    turns: noTurns,
  }
}

/** Tiny pods. */
export function drawFiller(chance: Chance): DrawnLoad {
  const milli = chance.whole(2, 20)
  return {
    name: 'tiny',
    replicas: chance.whole(10, 30),
    cores: milli / 1000,
    isFixed: true,
    text: () => `steady cpu=${milli}m`,
    turns: noTurns,
  }
}
