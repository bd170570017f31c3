/**
 * A node whose kernel shares its CPUs by weight, exactly, driven as the agent drives it: at every step
 * each member weighs what its credits say, the CPUs are shared, and what was used changes the credits.
 */
import {
  isInLane,
  laneFactorFor,
  MOST_WEIGHT,
  startCredits,
  stepCredits,
} from '../../src/core/enforcement/lane.ts'
import { largestOwn, type Owner, ownOf } from '../../src/core/enforcement/own.ts'
import { weighOn } from '../../src/core/enforcement/weigh.ts'
import type { Millicores } from '../../src/core/units.ts'

export type Wants = {
  readonly weight: number
  /** In cores. */
  readonly want: number
}

/**
 * Weighted max-min fairness with wants as caps: whoever wants less than its share has all it wants, and
 * the others share what it leaves. At most as many rounds as members.
 *
 *   cpus  weights  wants    used
 *   2     1 1      3 0.5    1.5 0.5
 *   2     3 1      3 3      1.5 0.5
 */
export function shareByWeight(cpus: number, members: readonly Wants[]): number[] {
  const used = members.map(() => 0)
  let open = members.map((member, i) => ({ ...member, i }))
  for (let left = cpus; open.length > 0;) {
    const total = open.reduce((sum, { weight }) => sum + weight, 0)
    const perWeight = left / total
    const full = open.filter(({ weight, want }) => want <= weight * perWeight)
    if (full.length === 0) {
      for (const { i, weight } of open) used[i] = weight * perWeight
      return used
    }
    for (const { i, want } of full) {
      used[i] = want
      left = Math.max(0, left - want)
    }
    open = open.filter((member) => !full.includes(member))
  }
  return used
}

export type Resident = {
  readonly entitled: Millicores
  /** By the last clearing; the entitlement unless told. */
  readonly given?: Millicores
  /** Above 0 it has a latency target. */
  readonly urgency?: number
  /** One of its own unless told. */
  readonly namespace?: string
  /** What its owner says of it; 1 unless told. */
  readonly say?: number
  /** In cores, at each step. */
  readonly wantAt: (step: number) => number
}

export type NodeRun = {
  readonly cpus: number
  readonly members: readonly Resident[]
  readonly steps: number
  /** What the kernel makes of a weight; takes it as it is unless told. */
  readonly kernelWeight?: (weight: number) => number
}

/** As the agent samples. */
export const STEP_SECONDS = 0.25
/** As the agent judges the mean of about a second. */
const FULL_RATIO = 0.95

/** Of each member, step by step: the cores that it wanted and used, and its credits before. */
export type Course = {
  readonly wanted: number[][]
  readonly used: number[][]
  readonly credits: number[][]
}

export function runNode({
  cpus,
  members,
  steps,
  kernelWeight = (weight) => weight,
}: NodeRun): Course {
  const credits = members.map(() => startCredits)
  const marketCredits = members.map(() => startCredits)
  const wanted = members.map(() => 0)
  const used = members.map(() => 0)
  const owners = (): Owner[] =>
    members.map(({ entitled, urgency = 0, namespace, say = 1 }, i) => ({
      id: `${i}`,
      namespace: namespace ?? `${i}`,
      entitled,
      say,
      hasTarget: urgency > 0,
      works: (used[i] ?? 0) >= 0.01,
      isInLane: isInLane(credits[i] ?? 0),
      isStrict: false,
      wanted: 1000 * Math.max(used[i] ?? 0, wanted[i] ?? 0),
    }))
  const largest = largestOwn(owners())
  const most = laneFactorFor(largest)
  const scale = Math.min(1, MOST_WEIGHT / (largest * most))
  const course: Course = { wanted: [], used: [], credits: [] }
  let busyRatio = 0
  for (let step = 0; step < steps; step += 1) {
    const own = ownOf(owners())
    const wants = members.map(({ entitled, given = entitled, urgency = 0, wantAt }, i) => {
      const earned = { credits: credits[i] ?? 0, marketCredits: marketCredits[i] ?? 0 }
      const its = own.get(`${i}`)
      const claim = { entitled, given, ...earned, urgency, ...(its && { own: its }) }
      const weight = weighOn(scale, claim, most)
      return { weight: kernelWeight(weight), want: wantAt(step) }
    })
    course.credits.push([...credits])
    const shares = shareByWeight(cpus, wants)
    busyRatio += STEP_SECONDS * (shares.reduce((sum, cores) => sum + cores, 0) / cpus - busyRatio)
    const hasIdleCpu = busyRatio < FULL_RATIO
    members.forEach(({ entitled, given = entitled }, i) => {
      const spell = { seconds: STEP_SECONDS, usedCores: shares[i] ?? 0, hasIdleCpu }
      const earn = (before: number | undefined, amount: Millicores): number =>
        stepCredits(before ?? 0, { ...spell, entitledCores: amount / 1000 })
      used[i] = shares[i] ?? 0
      wanted[i] = (wanted[i] ?? 0) + STEP_SECONDS * ((wants[i]?.want ?? 0) - (wanted[i] ?? 0))
      credits[i] = earn(credits[i], entitled)
      marketCredits[i] = earn(marketCredits[i], Math.max(given, entitled) as Millicores)
    })
    course.wanted.push(wants.map(({ want }) => want))
    course.used.push(shares)
  }
  return course
}
