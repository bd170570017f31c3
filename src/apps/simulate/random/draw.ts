/**
 * A scenario drawn at random, as a document that `mbcas simulate -f` reads.
 *
 * The distribution is stated here and in docs/guide/simulate.md, and is not tuned: whoever changes it
 * says why in the change. What pods want on average comes to 30 to 90 % of the nodes, but for a hog,
 * which takes all that it gets and counts for what its owner would call its part.
 */
import { seededRandom } from '../../../core/random.ts'
import { type Chance, chanceFrom } from './chance.ts'
import {
  drawFiller,
  drawHog,
  drawJob,
  drawLeak,
  drawService,
  type DrawnLoad,
} from './draw-loads.ts'

export type ScenarioDocument = {
  readonly name: string
  readonly about: string
  readonly seed: number
  readonly duration: string
  readonly warmUp: string
  readonly nodes: readonly {
    readonly name: string
    readonly count: number
    readonly cpus: number
  }[]
  readonly workloads: readonly WorkloadDocument[]
  readonly phases: readonly object[]
}

type WorkloadDocument = { readonly name: string; readonly [key: string]: unknown }

export const drawnSeconds = { duration: 360, warmUp: 60 }

/** What is requested on all nodes together, at most: the scheduler must find a place for everybody. */
const MOST_REQUESTED = 0.8
/** Of a node, by one pod. */
const MOST_OF_NODE = 0.5

/** `index` of `seed`: the same two give the same scenario, whatever else is drawn. */
export function drawScenario(seed: number, index: number): ScenarioDocument {
  const random = seededRandom(seed * 2 ** 20 + index)
  const chance = chanceFrom(random)
  const count = chance.oneOf([1, 1, 2, 3])
  const cpus = chance.oneOf([4, 4, 4, 8])
  const limits = chance.oneOf(['none', 'all', 'some'] as const)
  const loads = scaledTo(drawAll(chance), { cores: chance.between(0.3, 0.9) * count * cpus, cpus })
  const wanted = loads.map((load) => ({ load, ...drawSize(load, { chance, limits, cpus }) }))
  const requested = wanted.reduce((sum, { load, request }) => sum + load.replicas * request, 0)
  const fits = Math.min(1, (MOST_REQUESTED * count * cpus * 1000) / requested)
  const workloads = wanted.map((one) => workloadOf(one, fits))
  return {
    name: `random-${seed}-${index}`,
    about: `Drawn at random: scenario ${index} of seed ${seed}.`,
    seed: Math.floor(random() * 2 ** 31),
    duration: `${drawnSeconds.duration}s`,
    warmUp: `${drawnSeconds.warmUp}s`,
    nodes: [{ name: 'node', count, cpus }],
    workloads,
    phases: drawPhases(loads, { chance, count }),
  }
}

type Wanted = Size & { readonly load: DrawnLoad }

/** `fits`: so much of every request, for all to find room. */
function workloadOf({ load, request, limit }: Wanted, fits: number): WorkloadDocument {
  const { name, replicas, targetMillis, weight } = load
  const own = Math.max(1, Math.floor(request * fits))
  const most = limit === undefined ? undefined : Math.max(own, Math.ceil(limit * fits))
  return {
    name,
    replicas,
    cpu: { request: `${own}m`, ...(most !== undefined && { limit: `${most}m` }) },
    load: load.text(load.cores),
    ...(targetMillis !== undefined && { slo: { p99: `${targetMillis}ms` } }),
    ...(weight !== undefined && { weight }),
    evictAfter: '30s',
  }
}

function drawAll(chance: Chance): DrawnLoad[] {
  const services = Array.from({ length: chance.whole(2, 5) }, (_, i) =>
    drawService(chance, `service-${i}`),
  )
  const jobs = Array.from({ length: chance.whole(0, 2) }, (_, i) => drawJob(chance, `job-${i}`))
  return [
    ...services,
    ...jobs,
    ...(chance.is(0.2) ? [drawHog(chance)] : []),
    ...(chance.is(0.15) ? [drawLeak(chance)] : []),
    ...(chance.is(0.25) ? [drawFiller(chance)] : []),
  ]
}

/** Each pod that is scaled wants so much on average, as a part of a node at most. */
const MOST_WANTED_OF_NODE = 0.4
const LEAST_CORES = 0.05

type Room = { readonly cores: number; readonly cpus: number }

/** Loads of a fixed size stay as they are; the others share what is left of all in the ratio drawn. */
function scaledTo(loads: readonly DrawnLoad[], { cores, cpus }: Room): DrawnLoad[] {
  const totalOf = (isFixed: boolean): number =>
    loads
      .filter((load) => load.isFixed === isFixed)
      .reduce((sum, { replicas, cores: each }) => sum + replicas * each, 0)
  const factor = (cores - totalOf(true)) / totalOf(false)
  const scale = (own: number): number =>
    Math.min(MOST_WANTED_OF_NODE * cpus, Math.max(LEAST_CORES, own * factor))
  return loads.map((load) => (load.isFixed ? load : { ...load, cores: scale(load.cores) }))
}

type Sizing = {
  readonly chance: Chance
  readonly limits: 'none' | 'all' | 'some'
  readonly cpus: number
}

type Size = { readonly request: number; readonly limit?: number }

/** In millicores, before all are made to fit. Half of all requests are right, a quarter low, a quarter high. */
function drawSize({ cores }: DrawnLoad, { chance, limits, cpus }: Sizing): Size {
  const guess = chance.oneOf([
    () => chance.between(1, 1.3),
    () => chance.between(1, 1.3),
    () => chance.between(0.3, 0.8),
    () => chance.between(1.5, 3),
  ])()
  const request = Math.min(MOST_OF_NODE * cpus, Math.max(0.01, cores * guess)) * 1000
  const isLimited = limits === 'all' || (limits === 'some' && chance.is(0.5))
  const ratio = chance.between(1.2, 3)
  return isLimited ? { request, limit: request * ratio } : { request }
}

type Around = { readonly chance: Chance; readonly count: number }

type Moment = { readonly at: number; readonly what: object }

const phaseOf = ({ at, what }: Moment): object => ({ at: `${at}s`, ...what })

function drawPhases(loads: readonly DrawnLoad[], { chance, count }: Around): object[] {
  const { duration, warmUp } = drawnSeconds
  const moment = (): number => chance.whole(warmUp, duration - 60)
  const turns = loads.flatMap((load) => load.turns(load.cores, duration))
  const phases: Moment[] = turns.map(({ at, text, name }) => ({
    at,
    what: { name: `${name} at ${at}s`, loads: { [name]: text } },
  }))
  if (count > 1 && chance.is(0.3)) {
    const at = moment()
    phases.push({ at, what: { name: 'a node fails', loseNodes: ['node-0'] } })
    if (chance.is(0.5)) {
      phases.push({ at: at + 45, what: { name: 'it is back', restoreNodes: ['node-0'] } })
    }
  }
  if (chance.is(0.25)) {
    phases.push({ at: moment(), what: { name: 'a roll-out', roll: [chance.oneOf(loads).name] } })
  }
  return phases.toSorted((a, b) => a.at - b.at).map(phaseOf)
}
