/** The quick rhythm: measure, move the kernel, and tell the API what cannot wait for the market. */
import { sharePod } from '../../core/bidding/plan.ts'
import type { Move } from '../../core/guardrail/fund-raises.ts'
import type { Latency } from '../../core/guardrail/signals.ts'
import { keyOfPod } from '../../core/pod-name.ts'
import type { Millicores } from '../../core/units.ts'
import type { AgentNeeds, Shared } from './agent.ts'
import { type Charge, isMeasured, isMovable, measuredOf } from './charge.ts'
import type { Foresight } from './foresight.ts'
import type { Kernel } from './kernel.ts'
import { messages } from './messages.ts'
import { needIn, protect, quotaOf, wantsMove, type Ward, watchOver } from './protect.ts'
import type { Sampler } from './sampler.ts'
import { hasOwnTarget, type SeenPod, targetOf } from './seen-pod.ts'
import type { Teller } from './teller.ts'

type GuardingNeeds = Pick<
  AgentNeeds,
  'config' | 'cgroups' | 'clock' | 'log' | 'metrics' | 'node' | 'latencies'
> & {
  readonly shared: Shared
  readonly sampler: Sampler
  readonly kernel: Kernel | undefined
  readonly teller: Teller
  readonly foresight: Foresight | undefined
}

export function createGuarding(needs: GuardingNeeds) {
  const { config, clock, log, metrics, shared, sampler, kernel, teller, foresight } = needs
  const { charges } = shared
  const { headroomRatio } = config.bidding
  const { isOn, throttledRatio, stepRatio, blockedMillis } = config.guardrail
  const guard = { throttledRatio, stepRatio, blockedSeconds: blockedMillis / 1000 }
  const movesKernel = kernel !== undefined
  const rules = { guard: isOn ? guard : undefined, headroomRatio, movesKernel }
  let wasBlind = false
  let waiting: ReadonlySet<string> = new Set()
  /** Those that were looked at since they changed. */
  const familiar = new WeakSet<SeenPod>()

  /** Measured, and not yet in any clearing. */
  const isNew = ({ uid, containers }: SeenPod): boolean =>
    !shared.cleared.has(uid) && isMeasured(containers, sampler.trackedOf)

  /** UIDs of those that are not calm. */
  const measure = (pods: readonly SeenPod[]): ReadonlySet<string> => {
    const { cpus } = needs.node()
    const { smoothing } = config
    const began = clock.now()
    const counts = sampler.sample(pods, ({ uid }) => {
      const ceiling = charges.get(uid)?.decision.bid.ceiling
      return { cpus, smoothing, ...(ceiling !== undefined && { ceilingCores: ceiling / 1000 }) }
    })
    metrics.took('reading', (clock.now() - began) / 1000)
    metrics.sampled(counts)
    const { containers, missing } = counts
    const isBlind = containers > 0 && missing === containers
    if (isBlind && !wasBlind) {
      const { where } = needs.cgroups
      const remedy = "give the kubelet's cgroupRoot with --cgroup-root"
      log('warn', 'no cgroup found for any container', { containers, where, remedy })
    }
    wasBlind = isBlind
    return counts.stirred
  }

  const latencyOf = (pod: SeenPod): Latency | undefined => {
    const targetMillis = targetOf(pod, config)
    const told = needs.latencies?.of(pod)
    return told === undefined || targetMillis === undefined ? undefined : { ...told, targetMillis }
  }

  /** Those whose quota may be moved; what the others hold is not for sale. */
  const wardsOf = (pods: readonly SeenPod[]): { wards: Ward[]; capacity: Millicores } => {
    const wards: Ward[] = []
    let capacity: number = shared.sold
    for (const seen of pods) {
      const charge = charges.get(seen.uid)
      if (charge === undefined) continue
      const measured = isMovable(seen, charge) ? measuredOf(seen, sampler.trackedOf) : undefined
      if (measured !== undefined) wards.push({ seen, charge, measured })
      else capacity -= charge.published.limit.amount
    }
    return { wards, capacity: Math.max(0, capacity) as Millicores }
  }

  const tell = (
    ward: Ward,
    { to, reason }: Omit<Move, 'id' | 'from'>,
    signal: AbortSignal,
  ): void => {
    const { seen, charge, measured } = ward
    const { pod, mode } = charge.decision
    const need = needIn(ward, headroomRatio)
    const demands = new Map(measured.map(({ name, demandCores }) => [name, demandCores]))
    const containers = pod.containers.map((container) =>
      Object.assign({}, container, { demandCores: demands.get(container.name) }),
    )
    const now = { ...pod, containers }
    const { limit, request } = charge.published
    const most = to < limit.amount ? request.amount : charge.decision.promise
    const promised = Math.min(need, most)
    const shares = sharePod(now, { need: promised as Millicores, limit: to, mode })
    const decision = { ...charge.decision, ...shares, pod: now, need, reason }
    const makeRoom = (): void => kernel?.keepBurst(ward)
    const startedAt = shared.starts.of(seen)
    void teller.outOfTurn(charge, { decision, startedAt, makeRoom }, signal)
  }

  const isWorthTelling = ({ charge }: Ward, to: Millicores): boolean => {
    const { amount } = charge.published.limit
    return Math.abs(to - amount) > config.publication.minChangeRatio * amount
  }

  /** What the market left it where CPU is short: told anyway, it is told that at once. */
  const shareOf = ({ charge: { decision } }: Ward): number =>
    decision.mode === 'uncongested' ? Infinity : decision.limit

  /**
   * At any moment to one that weighs more, or as much; but who has a latency target gives to an equal
   * without one only much, or now and then.
   */
  const mayGive = ({ seen, charge }: Ward, to: Millicores, pleading: readonly Ward[]): boolean => {
    const { rank: weight } = charge.decision
    const weighs = (one: Ward): number => one.charge.decision.rank
    if (!charge.isTold || to >= charge.published.limit.amount) return false
    const entitled = pleading.filter((one) => weighs(one) >= weight)
    const isPatient = teller.isRecent(charge) && !teller.isMuch(charge, to)
    if (!isPatient || !hasOwnTarget(seen)) return entitled.length > 0
    return entitled.some((one) => weighs(one) > weight || hasOwnTarget(one.seen))
  }

  const act = (ward: Ward, move: Move | undefined, signal: AbortSignal): void => {
    const { seen, charge, measured } = ward
    const before = quotaOf(measured)
    const hasMoved = move !== undefined && kernel?.move(ward, move.to) === true
    if (!hasMoved) kernel?.keepBurst(ward)
    charge.quota = hasMoved ? move.to : before
    const { badSince, lastGuard, published } = charge
    const { amount } = published.limit
    const isRaise = move !== undefined && move.to > before
    const raise = isRaise ? move : fallenTo(charge.quota, charge.raise)
    charge.raise = raise
    if (raise === undefined || raise.to <= amount || !isWorthTelling(ward, raise.to)) return
    const need = needIn(ward, headroomRatio)
    if (!teller.isUrgent(charge, { need, limit: raise.to })) return
    const isNews = hasMoved || !teller.isPaced(charge)
    tell(ward, raise, signal)
    if (!isRaise || !isNews || badSince === undefined) return
    const fields = { pod: keyOfPod(seen), rung: lastGuard?.rung, ...move }
    log('warn', messages.guardrailTriggered, fields)
    metrics.raised(clock.now() - badSince)
  }

  const show = ({ seen, charge, measured }: Ward): void => {
    const sample = sampleOf(measured)
    metrics.measured(seen, sample)
    foresight?.observe(seen.uid, { at: clock.now(), cores: sample.demandCores })
    const rung = charge.lastGuard?.rung
    if (rung !== undefined) {
      metrics.guarded(seen, { rung, p99Millis: needs.latencies?.of(seen)?.p99Millis })
    }
  }

  /** Of these, and what is for sale among them if they are all. */
  const regulateAll = (
    pods: readonly SeenPod[],
    signal: AbortSignal,
  ): ReadonlyMap<string, Move> => {
    const { wards, capacity } = wardsOf(pods)
    const { now: moves, later, unmet } = protect(wards, capacity, rules)
    const fallOf = new Map(later.map((move) => [move.id, move]))
    const pleading = wards.filter(
      ({ seen, charge }) => isSuffering(charge) && unmet.includes(seen.uid),
    )
    for (const ward of wards) {
      const fall = fallOf.get(ward.seen.uid)
      if (fall === undefined) continue
      const to = Math.min(fall.to, shareOf(ward)) as Millicores
      if (mayGive(ward, to, pleading) && isWorthTelling(ward, to))
        tell(ward, { ...fall, to }, signal)
    }
    shared.isClearingWanted ||= unmet.some((uid) => !waiting.has(uid))
    waiting = new Set(unmet)
    return new Map(moves.map((move) => [move.id, move]))
  }

  const sample = (signal: AbortSignal): void => {
    const pods = shared.seenPods()
    const stirred = measure(pods)
    const active = pods.filter((pod) => stirred.has(pod.uid) || !familiar.has(pod))
    for (const pod of active) familiar.add(pod)
    const moment = { now: clock.now(), latencyOf }
    const { wards } = wardsOf(active)
    for (const ward of wards) {
      if (!stirred.has(ward.seen.uid)) continue // its last sample has counted
      watchOver(ward, moment, rules)
      show(ward)
    }
    const moves = wards.some((ward) => wantsMove(ward, rules))
      ? regulateAll(pods, signal)
      : new Map<string, Move>()
    const others = pods.filter(
      ({ uid }) => moves.has(uid) && !active.some((pod) => pod.uid === uid),
    )
    for (const ward of [...wards, ...wardsOf(others).wards]) {
      act(ward, moves.get(ward.seen.uid), signal)
    }
    for (const pod of active) if (!isMovable(pod, charges.get(pod.uid))) kernel?.release(pod)
    shared.isClearingWanted ||= active.some(isNew)
  }

  return { sample }
}

const isSuffering = ({ badSince }: Charge): boolean => badSince !== undefined

/** Of a raise that is not told yet, what is left of it. */
const fallenTo = (quota: Millicores, raise: Charge['raise']): Charge['raise'] =>
  raise && { ...raise, to: Math.min(raise.to, quota) as Millicores }

function sampleOf(measured: Ward['measured']) {
  const total = {
    demandCores: 0,
    periods: 0,
    throttledPeriods: 0,
    throttledSeconds: 0,
    burstPeriods: 0,
  }
  for (const { law, rates, isFresh } of measured) {
    total.demandCores += law.estimateCores
    if (!isFresh) continue
    total.periods += rates.periods
    total.throttledPeriods += rates.throttledPeriods
    total.throttledSeconds += rates.throttledCores * rates.seconds
    total.burstPeriods += rates.burstPeriods
  }
  return total
}
