/** The requests that the real process and the model both serve. */
import { parseLoad } from '../../../src/apis/load.ts'
import { latencyBuckets } from '../../../src/sim/kernel/answers.ts'
import { type Arrival, createArrivals } from '../../../src/sim/kernel/arrivals.ts'
import type { Grown } from './setting.ts'
import type { Answer } from './spinner.ts'

export function requestsOf(text: string, untilMicros: number): Arrival[] {
  const load = parseLoad(text)
  if (load.kind !== 'requests' || load.seed === null) {
    throw new Error(`expected requests with a seed, got ${text}`)
  }
  const next = createArrivals(load, load.seed)
  const found: Arrival[] = []
  for (let one = next(); one.atMicros < untilMicros; one = next()) found.push(one)
  return found
}

export function answered(answers: readonly Answer[], untilMicros: number): Partial<Grown> {
  const latencies: number[] = []
  for (const answer of answers) {
    if (!('latencyMicros' in answer)) continue
    for (const [i, latency] of answer.latencyMicros.entries()) {
      if ((answer.doneMicros[i] ?? Infinity) <= untilMicros) latencies.push(latency)
    }
  }
  if (latencies.length === 0) return {}
  const upTo = (millis: number) => latencies.filter((micros) => micros <= millis * 1000).length
  return { latency: latencyBuckets.map(upTo) }
}
