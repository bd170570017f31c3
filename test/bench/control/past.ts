/** What is known of a profile before it is judged. */
import type { Arrival } from '../../../src/sim/kernel/arrivals.ts'
import { needBySecond, type Past, recallFrom } from '../past.ts'
import { arrivalsOf, passSeconds, type Profile } from './profile.ts'

const passes = 24
/** Far from the seeds that are judged and trained on. */
const firstSeed = 1_000_000

export function recall(profile: Profile): Past {
  const seconds: number[] = []
  for (let pass = 0; pass < passes; pass++) {
    seconds.push(...needBySecond(requestsOf(profile, firstSeed + pass), passSeconds))
  }
  return recallFrom(seconds)
}

function* requestsOf(profile: Profile, seed: number): Iterable<Arrival> {
  const next = arrivalsOf(profile, seed)
  for (let one = next(); one.atMicros < Infinity; one = next()) yield one
}
