/** For tests: what an agent remembers of a pod, of which a test states only what matters to it. */
import assert from 'node:assert/strict'

import {
  type Charge,
  chargeOf,
  type Measured,
  noStanding,
  type PodStanding,
} from '../src/apps/agent/charge.ts'
import { type Decision, planNode } from '../src/core/bidding/plan.ts'
import { biddingRules } from '../src/core/bidding/rules.ts'
import { track } from '../src/core/demand/tracker.ts'
import type { Enforcement } from '../src/core/enforcement/enforcements.ts'
import { millicores, millis } from '../src/core/units.ts'
import { container, pod, type PodGiven } from './node-pods.ts'

export type ChargeGiven = {
  readonly pod?: PodGiven
  readonly decision?: Partial<Decision>
  readonly standing?: Partial<PodStanding>
  readonly enforcement?: Enforcement
}

/** Alone on a node of 4 CPUs, entitled to 1 of them. */
export function charge({ pod: given, decision, standing, enforcement }: ChargeGiven = {}): Charge {
  const containers = [container({ request: millicores(1000), limit: millicores(2000) })]
  const rules = { ...biddingRules, enforcement: enforcement ?? biddingRules.enforcement }
  const capacity = { allocatable: millicores(4000) }
  const [decided] = planNode(capacity, [pod({ containers, ...given })], rules).decisions
  assert.ok(decided !== undefined)
  const made = chargeOf({ ...decided, ...decision }, millis(0))
  made.standing = { ...noStanding, ...standing }
  return made
}

export type SampleGiven = {
  readonly seconds?: number
  readonly cores?: number
  readonly waitedCores?: number
  /** Of ten periods. */
  readonly throttledPeriods?: number
}

/** A container after it did so for so long. */
export function measured(given: SampleGiven = {}): Measured {
  const { seconds = 0.25, cores = 0, waitedCores = 0, throttledPeriods = 0 } = given
  const first = {
    atMicros: 0,
    usageMicros: 0,
    periods: 0,
    throttledPeriods: 0,
    throttledMicros: 0,
    quotaMicros: 200_000,
    weight: 1024,
    periodMicros: 100_000,
  }
  const then = {
    ...first,
    atMicros: seconds * 1e6,
    usageMicros: cores * seconds * 1e6,
    periods: 10,
    throttledPeriods,
  }
  const around = { cpus: 4, waitedCores }
  const { rates, level, ...rest } = track(track(undefined, first, around), then, around)
  assert.ok(rates !== undefined && level !== undefined)
  return { ...rest, rates, level, spell: { from: first, to: rest.last } }
}
