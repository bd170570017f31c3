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

const spreads = ['fixed', 'exponential', 'exponential', 'heavy', 'spikes']
const shapes = ['steady', 'steady', 'tides', 'bursts', 'on and off'] as const

/** Three of four have a target: 12 to 30 times what a request takes on average, 50 ms at least. */
export function drawService(chance: Chance, name: string): DrawnLoad {
  const cpuMillis = chance.spread(2, 30)
  const spread = chance.oneOf(spreads)
  const fewest = chance.oneOf([4, 8])
  const rateOf = (cores: number): string => Math.max(0.1, (cores * 1000) / cpuMillis).toFixed(2)
  /** Twice as many threads as it could use CPUs: what is late is late for want of CPU. */
  const restOf = (most: number): string =>
    `cpu=${Math.round(cpuMillis * 1000)}us spread=${spread} threads=${Math.max(fewest, Math.ceil(2 * most))}`
  const steady = (cores: number): string => `requests rate=${rateOf(cores)} ${restOf(cores)}`
  const target = Math.max(50, Math.round(cpuMillis * chance.between(12, 30)))
  const own = {
    name,
    replicas: chance.whole(1, 3),
    cores: chance.spread(0.2, 1),
    isFixed: false,
    ...(chance.is(0.75) && { targetMillis: target }),
    ...drawWeight(chance),
  }
  const shape = chance.oneOf(shapes)
  if (shape === 'steady') return { ...own, text: steady, turns: noTurns }
  if (shape === 'tides') return { ...own, ...drawTides(chance, { rateOf, restOf }), turns: noTurns }
  return { ...own, ...drawTurns(chance, { name, steady, isBurst: shape === 'bursts' }) }
}

type Requests = {
  readonly rateOf: (cores: number) => string
  readonly restOf: (most: number) => string
}

/** A day in 60 to 240 s. */
function drawTides(chance: Chance, { rateOf, restOf }: Requests): Pick<DrawnLoad, 'text'> {
  const depth = chance.between(0.3, 0.9)
  const every = chance.whole(60, 240)
  return {
    text: (cores) => {
      const [low, high] = [cores * (1 - depth), cores * (1 + depth)]
      return `requests rate=${rateOf(low)} peak=${rateOf(high)} every=${every}s ${restOf(high)}`
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

const milli = (cores: number): number => Math.max(1, Math.round(cores * 1000))

/** Batch work: as much all the time, or in bouts of at most 8 CPUs. */
export function drawJob(chance: Chance, name: string): DrawnLoad {
  const own = {
    name,
    replicas: chance.whole(1, 2),
    cores: chance.spread(0.3, 2),
    isFixed: false,
    ...drawWeight(chance),
    turns: noTurns,
  }
  if (chance.is(0.5)) {
    return {
      ...own,
      text: (cores) => `steady cpu=${milli(cores)}m threads=${Math.ceil(cores) + 1}`,
    }
  }
  const every = chance.whole(10, 60)
  const lasts = Math.max(1, Math.floor(every * chance.between(0.1, 0.5)))
  const kind = chance.oneOf(['bursty', 'spiky'])
  return {
    ...own,
    text: (cores) => {
      const high = Math.min(8, (cores * every) / lasts)
      const threads = Math.max(1, Math.ceil(high))
      return `${kind} high=${milli(high)}m every=${every}s for=${lasts}s threads=${threads}`
    },
  }
}

/** Batch work that takes all that it gets. */
export function drawHog(chance: Chance): DrawnLoad {
  const threads = chance.whole(2, 8)
  const text = (): string => `steady cpu=${threads} threads=${threads}`
  const own = { name: 'hog', replicas: 1, cores: chance.between(0.3, 1.5), isFixed: true }
  return { ...own, ...drawWeight(chance), text, turns: noTurns }
}

/** Use that grows and grows. */
export function drawLeak(chance: Chance): DrawnLoad {
  const most = chance.whole(1, 4)
  const drawn = `ramp from=100m to=${most} over=${chance.whole(200, 340)}s`
  const text = (): string => drawn
  return { name: 'leak', replicas: 1, cores: most / 2, isFixed: true, text, turns: noTurns }
}

/** Tiny pods. */
export function drawFiller(chance: Chance): DrawnLoad {
  const each = chance.whole(2, 20)
  const text = (): string => `steady cpu=${each}m`
  const replicas = chance.whole(10, 30)
  return { name: 'tiny', replicas, cores: each / 1000, isFixed: true, text, turns: noTurns }
}
