/** One sample of the node: who suffers, whose quota moves now, and who has to give way first. */
import { guaranteeShares } from '../../core/bidding/namespace-shares.ts'
import { millicoresUp } from '../../core/bidding/pod.ts'
import type { CpuRates } from '../../core/demand/rates.ts'
import type { Move } from '../../core/guardrail/fund-raises.ts'
import { type GuardRules, stepGuard } from '../../core/guardrail/guardrail.ts'
import { type Latency } from '../../core/guardrail/signals.ts'
import { clearMarket } from '../../core/market/clear.ts'
import { keyOfPod } from '../../core/pod-name.ts'
import { type Member, regulate, type Regulation } from '../../core/regulation/regulate.ts'
import { type Millicores, type Millis, sum } from '../../core/units.ts'
import { type Charge, type Measured, needOf as countNeed, toldIn } from './charge.ts'
import type { SeenPod } from './seen-pod.ts'

/** A pod that takes part, with all that is needed to move its quota. */
export type Ward = {
  readonly seen: SeenPod
  readonly charge: Charge
  readonly measured: readonly Measured[]
}

export type ProtectionRules = {
  /** Undefined: the guardrail is off, and only the control law moves quotas. */
  readonly guard: GuardRules | undefined
  readonly headroomRatio: number
  /** False: quotas follow the API, and nothing falls before that. */
  readonly movesKernel: boolean
}

export type Moment = {
  readonly now: Millis
  readonly latencyOf: (pod: SeenPod) => Latency | undefined
}

/** Moves the guardrail of a pod on by a sample. */
export function watchOver(
  ward: Ward,
  { now, latencyOf }: Moment,
  { guard }: ProtectionRules,
): void {
  if (!ward.measured.every(({ isFresh }) => isFresh)) return
  const worst = worstOf(ward)
  note(ward, worst)
  if (guard !== undefined) watch(ward, guard, { now, worst, latency: latencyOf(ward.seen) })
}

/** Whether its quota should be another: if nobody's should, nobody needs to be asked. */
export function wantsMove(ward: Ward, rules: ProtectionRules): boolean {
  const { wanted, current, least } = memberOf(ward, rules)
  const quota = quotaOf(ward.measured)
  return wanted > current || (wanted < quota && quota > least) || Math.min(wanted, least) > quota
}

export function protect(
  wards: readonly Ward[],
  capacity: Millicores,
  rules: ProtectionRules,
): Regulation {
  const members: Sized[] = []
  const lifts: Move[] = []
  let free: number = capacity
  for (const ward of wards) {
    const member = memberOf(ward, rules)
    lifts.push(...liftOf(ward, member))
    if (ward.charge.isTold || member.wanted > member.current) {
      const { weight } = ward.charge.decision.bid
      members.push({ member, namespace: ward.seen.namespace, weight })
    } else free -= heldUntold(ward, member)
  }
  const forSale = Math.max(0, free) as Millicores
  const { now: moves, ...rest } = regulate(forSale, withShares(forSale, members))
  const moved = new Set(moves.map(({ id }) => id))
  return { ...rest, now: [...moves, ...lifts.filter(({ id }) => !moved.has(id))] }
}

/** With what it weighs in a market, where sizes matter; between two clearings ranks count. */
type Sized = {
  readonly member: Member
  readonly namespace: string
  readonly weight: number
}

/**
 * Where CPU is short, lighter ones give way down to what the market would leave them, and nobody takes
 * more than it would give: the next clearing would only undo it.
 */
function withShares(capacity: Millicores, all: readonly Sized[]): readonly Member[] {
  const members = all.map(({ member }) => member)
  const wished = members.reduce((sum, { wanted, current }) => sum + Math.max(wanted, current), 0)
  if (wished <= capacity) return members
  const sharing = all.map(({ member, namespace, weight }) => {
    const { id, floor, ceiling, wanted } = member
    const need = Math.max(wanted, member.need) as Millicores
    return { namespace, bid: { id, floor, ceiling, weight, need } }
  })
  const { amounts } = clearMarket(capacity, guaranteeShares(capacity, sharing))
  return members.map((member, i) => {
    const share = amounts[i] ?? member.floor
    const wanted = Math.min(member.wanted, Math.max(member.current, share)) as Millicores
    // Beyond its share nobody needs, and whether it suffers there is no reason to keep it.
    const need = Math.min(member.need, share) as Millicores
    const isBlocked = member.isBlocked && member.current <= share
    return Object.assign({}, member, { floor: share, wanted, need, isBlocked })
  })
}

/** Up to what was told already, the kernel need not wait for the kubelet. */
function liftOf({ measured }: Ward, { id, wanted, least, reason }: Member): Move[] {
  const from = quotaOf(measured)
  const to = Math.min(wanted, least) as Millicores
  return to > from ? [{ id, from, to, reason }] : []
}

const worstOf = ({ measured }: Ward): CpuRates =>
  measured.map(({ rates }) => rates).reduce((a, b) => (b.throttledRatio > a.throttledRatio ? b : a))

function note({ charge, measured }: Ward, { periods, throttledPeriods }: CpuRates): void {
  const { trial } = charge
  const now = quotaOf(measured)
  charge.trial = {
    periods: trial.periods + periods,
    throttledPeriods: trial.throttledPeriods + throttledPeriods,
    quota: trial.quota !== undefined && trial.quota < now ? trial.quota : now,
  }
}

type Signals = {
  readonly now: Millis
  readonly worst: CpuRates
  readonly latency: Latency | undefined
}

function watch(
  { charge, measured }: Ward,
  rules: GuardRules,
  { now, worst, latency }: Signals,
): void {
  const { seconds, periods, throttledPeriods } = worst
  const step = stepGuard(
    charge.guard,
    {
      seconds,
      periods,
      throttledPeriods,
      latency,
      current: quotaOf(measured),
      ceiling: charge.decision.bid.ceiling,
      estimateCores: measured.reduce((all, { law }) => all + law.estimateCores, 0),
    },
    rules,
  )
  charge.guard = step.state
  charge.lastGuard = step
  charge.badSince = step.verdict.state === 'bad' ? (charge.badSince ?? now) : undefined
}

export const quotaOf = (measured: readonly Measured[]): Millicores =>
  sum(measured.map(({ quota }) => quota))

/** By the spec or by what was published since: the kernel does not go below it. */
const leastOf = ({ charge, measured }: Ward, movesKernel: boolean): Millicores => {
  const given = measured.map(({ limit, quota }) => (movesKernel || limit > quota ? limit : quota))
  return Math.max(sum(given), toldIn(charge)) as Millicores
}

function memberOf(ward: Ward, { headroomRatio, movesKernel }: ProtectionRules): Member {
  const { seen, charge, measured } = ward
  const { floor, ceiling } = charge.decision.bid
  const least = leastOf(ward, movesKernel)
  // What the API was told is on its way into the kernel: nobody else may have it.
  const current = Math.max(quotaOf(measured), least) as Millicores
  const isFresh = measured.every((container) => container.isFresh)
  const lawful = measured.reduce((all, { law }) => all + law.quotaCores, 0)
  const byLaw = isFresh ? (Math.min(millicoresUp(lawful), mostOf(charge)) as Millicores) : current
  const raise = charge.lastGuard?.raiseTo
  const isGuarded = isFresh && raise !== undefined && raise > byLaw
  return {
    id: seen.uid,
    name: keyOfPod(seen),
    weight: charge.decision.rank,
    floor,
    ceiling,
    need: needIn(ward, headroomRatio),
    current,
    least,
    wanted: isGuarded ? raise : byLaw,
    reason: isGuarded ? (charge.lastGuard?.reason ?? '') : reasonOf(measured),
    isSuffering: charge.badSince !== undefined,
    isBlocked: charge.lastGuard?.blocked !== undefined,
    rung: charge.lastGuard?.rung ?? 'monitor',
  }
}

/** What the search of the cost mode tries is not outbid by the law, unless that hurts. */
const mostOf = ({ search, badSince, decision }: Charge): Millicores =>
  search === undefined || badSince !== undefined ? decision.bid.ceiling : search.amount

export function needIn({ charge, measured }: Ward, headroomRatio: number): Millicores {
  const { floor, ceiling } = charge.decision.bid
  const need = countNeed(measured, headroomRatio)
  return need < floor ? floor : need > ceiling ? ceiling : need
}

/** Of the container that wants the most more. */
const reasonOf = (measured: readonly Measured[]): string =>
  measured.reduce((a, b) => (wishOf(b) > wishOf(a) ? b : a)).law.reason

const wishOf = ({ law, quota }: Measured): number => law.quotaCores * 1000 - quota

/** What was never told it counts for what it was promised or needs: limits may be above all there is. */
const heldUntold = ({ charge }: Ward, { need, current }: Member): number =>
  Math.min(current, Math.max(need, charge.published.request.amount))
