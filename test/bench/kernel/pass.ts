/** The figures of one pass, from what it left behind. */
import type { Metered } from '../programs/meter.ts'
import { quantile, sumOf } from '../statistics.ts'
import type { Request } from './requests.ts'
import type { Lengths, Member, Scene, Span } from './scene.ts'

export type GroupFigures = {
  readonly name: string
  readonly usedCores: number
  /** Of a service: where there is CPU enough, and while more is asked for than there is. */
  readonly calm: Latencies | undefined
  readonly contended: Latencies | undefined
}

/** Milliseconds from the intended arrival. */
export type Latencies = {
  readonly requests: number
  readonly p50: number
  readonly p99: number
  /** Of the requests: those that nobody waited for any more, which count as long as somebody did. */
  readonly givenUpRatio: number
}

export type PassFigures = {
  readonly scene: string
  readonly arm: string
  readonly groups: readonly GroupFigures[]
  /** Of what services, generator, host and others leave of the machine, what hogs used. */
  readonly hogOfLeft?: number
  readonly agentCores: number
  readonly stealRatio: number
  readonly othersRatio: number
}

export type Measured = {
  readonly scene: Scene
  readonly arm: { readonly name: string }
  readonly cpus: number
  readonly lengths: Lengths
  readonly members: readonly Member[]
  /** Of each member: when each of its requests was done, since the start; NaN if it was not. */
  readonly doneMicros: readonly (readonly number[])[]
  readonly metered: Metered
}

export function figuresOf(measured: Measured): PassFigures {
  const { scene, arm, members, metered, lengths } = measured
  const { usedCores, agentCores, stealRatio, othersRatio } = metered
  const spans = scene.spansOf(lengths)
  const groups = members.map(({ name, runs }, i): GroupFigures => {
    const done = measured.doneMicros[i] ?? []
    const of = (isContended: boolean) =>
      'requests' in runs
        ? latenciesOf(runs.requests, {
            done,
            spans: spans.filter((span) => span.isContended === isContended),
          })
        : undefined
    return {
      name,
      usedCores: usedCores[i] ?? NaN,
      calm: of(false),
      contended: of(true),
    }
  })
  const hogOfLeft = hogOfLeftOf(measured)
  return {
    scene: scene.name,
    arm: arm.name,
    groups,
    ...(hogOfLeft === undefined ? {} : { hogOfLeft }),
    agentCores,
    stealRatio,
    othersRatio,
  }
}

type Served = { readonly done: readonly number[]; readonly spans: readonly Span[] }

/** Of requests that came in the spans; undefined if none did. */
function latenciesOf(requests: readonly Request[], { done, spans }: Served): Latencies | undefined {
  let givenUp = 0
  const millis = requests.flatMap(({ atMicros, untilMicros }, i) => {
    const isIn = spans.some((span) => atMicros >= span.fromMicros && atMicros < span.toMicros)
    if (!isIn) return []
    const at = done[i] ?? NaN
    if (Number.isNaN(at)) givenUp += 1
    return ((Number.isNaN(at) ? untilMicros : at) - atMicros) / 1000
  })
  if (millis.length === 0) return undefined
  const ascending = millis.toSorted((a, b) => a - b)
  return {
    requests: millis.length,
    p50: quantile(ascending, 0.5) ?? NaN,
    p99: quantile(ascending, 0.99) ?? NaN,
    givenUpRatio: givenUp / millis.length,
  }
}

/** What our agent uses is not taken off: it is part of what it costs. */
function hogOfLeftOf({ members, metered, cpus }: Measured): number | undefined {
  const { usedCores, loadCores, stealRatio, othersRatio } = metered
  const isHog = members.map(({ runs }) => 'threads' in runs)
  if (!isHog.includes(true)) return undefined
  const hogs = sumOf(usedCores.filter((_, i) => isHog[i]))
  const services = sumOf(usedCores) - hogs
  return hogs / (cpus * (1 - stealRatio - othersRatio) - services - loadCores)
}
