/** The quick rhythm: measure, judge who suffers, and set weights and quotas in the kernel. */
import { requestShares } from '../../core/cgroup/weight.ts'
import { laneFactorFor } from '../../core/enforcement/lane.ts'
import {
  noProtection,
  type Protected,
  type Protection,
  protect,
} from '../../core/enforcement/protection.ts'
import { scaleOf } from '../../core/enforcement/scale.ts'
import type { Claim, TopLevel } from '../../core/enforcement/weigh.ts'
import { isSuffering, type Latency } from '../../core/guardrail/signals.ts'
import { keyOfPod } from '../../core/pod-name.ts'
import type { Millicores } from '../../core/units.ts'
import type { AgentNeeds, Shared } from './agent.ts'
import { type Charge, isMeasured, isMovable, type Measured, measuredOf, suffers } from './charge.ts'
import { claimOf, enforcedOf } from './enforced.ts'
import type { Foresight } from './foresight.ts'
import type { IdleCpu } from './idle-cpu.ts'
import type { Kernel } from './kernel.ts'
import { messages } from './messages.ts'
import { cpuOfPodGroup } from './pod-group.ts'
import type { Sampler } from './sampler.ts'
import { hasOwnTarget, type SeenPod, targetOf } from './seen-pod.ts'
import { isHurt, isTaker, stepStanding } from './standing.ts'

type GuardingNeeds = Pick<
  AgentNeeds,
  'config' | 'cgroups' | 'clock' | 'log' | 'metrics' | 'node' | 'latencies'
> & {
  readonly shared: Shared
  readonly sampler: Sampler
  readonly kernel: Kernel | undefined
  readonly idleCpu: IdleCpu
  readonly foresight: Foresight | undefined
}

/** A pod that takes part, with all that is needed to enforce its share. */
type Ward = {
  readonly seen: SeenPod
  readonly charge: Charge
  readonly measured: readonly Measured[]
}

export function createGuarding(needs: GuardingNeeds) {
  const { config, clock, log, metrics, shared, sampler, kernel, idleCpu, foresight } = needs
  const { charges } = shared
  let wasBlind = false
  let wasIdle = true
  let protection: Protection = noProtection
  let protectedAt = clock.now()
  /** Those that were looked at since they changed. */
  const familiar = new WeakSet<SeenPod>()

  /** Measured, and not yet in any clearing. */
  const isNew = ({ uid, containers }: SeenPod): boolean =>
    !shared.cleared.has(uid) && isMeasured(containers, sampler.trackedOf)

  /** What its owner asks for is another than at the last clearing. */
  const isChanged = ({ uid, wishes, bounds, options }: SeenPod): boolean => {
    const pod = charges.get(uid)?.decision.pod
    if (pod === undefined) return false
    const { enforcement = needs.node().enforcement } = options
    const { shareFactor, maxMinCpu } = pod
    return (
      JSON.stringify([wishes, enforcement, bounds]) !==
      JSON.stringify([pod.wishes, pod.enforcement, { shareFactor, maxMinCpu }])
    )
  }

  /** UIDs of those that are not calm. */
  const measure = (pods: readonly SeenPod[]): ReadonlySet<string> => {
    const { cpus } = needs.node()
    idleCpu.look(cpus, () => usedBy(charges.values()))
    const began = clock.now()
    const around = { cpus, smoothing: config.smoothing, looksForWaiting: idleCpu.isContended() }
    const counts = sampler.sample(pods, around)
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
    const measured = needs.latencies?.of(pod)
    if (measured === undefined || targetMillis === undefined) return undefined
    return { ...measured, targetMillis }
  }

  const wardOf = (seen: SeenPod): Ward[] => {
    const charge = charges.get(seen.uid)
    const measured = isMovable(seen, charge) ? measuredOf(seen, sampler.trackedOf) : undefined
    return charge === undefined || measured === undefined ? [] : [{ seen, charge, measured }]
  }

  const judgeOne = ({ seen, charge, measured }: Ward): void => {
    const before = suffers(charge)
    charge.standing = stepStanding(charge, {
      measured,
      latency: latencyOf(seen),
      now: clock.now(),
      hasIdleCpu: idleCpu.hasIdleCpu(),
      throttledRatio: config.guardrail.throttledRatio,
    })
    if (!before && suffers(charge)) shared.isClearingWanted = true
    show({ seen, charge, measured })
  }

  const show = ({ seen, charge, measured }: Ward): void => {
    const sample = sampleOf(measured)
    metrics.measured(seen, sample)
    foresight?.observe(seen.uid, { at: clock.now(), cores: sample.demandCores })
    const { verdict, credits, shares } = charge.standing
    if (verdict === undefined) return
    const p99Millis = needs.latencies?.of(seen)?.p99Millis
    metrics.judged(seen, { isSuffering: isSuffering(verdict), credits, shares, p99Millis })
  }

  /** Over all that take part; looked at only while there is somebody to protect, or somebody held. */
  const protectAll = (pods: readonly SeenPod[]): void => {
    const now = clock.now()
    const seconds = (now - protectedAt) / 1000
    protectedAt = now
    if (!config.guardrail.isOn || kernel === undefined) return
    const isCalm = protection.held.size === 0 && protection.restSeconds === 0
    if (isCalm && ![...charges.values()].some(suffers)) {
      protection = noProtection
      return
    }
    const members = pods.flatMap((seen): Protected[] => {
      const charge = charges.get(seen.uid)
      if (charge === undefined || !isMovable(seen, charge)) return []
      const { decision, standing } = charge
      const hasTarget = hasOwnTarget(seen)
      return [
        {
          id: seen.uid,
          used: standing.used,
          entitled: decision.entitled,
          isHurt: isHurt(charge, hasTarget),
          isLate: hasTarget && (standing.verdict?.slowRatio ?? 0) > 1,
          isTaker: isTaker(charge, hasTarget),
        },
      ]
    })
    const before = protection
    protection = protect(before, members, seconds)
    for (const seen of pods) tellProtection(seen, before)
  }

  const tellProtection = (seen: SeenPod, before: Protection): void => {
    const charge = charges.get(seen.uid)
    const [was, is] = [before.held.get(seen.uid), protection.held.get(seen.uid)]
    if (charge === undefined || was === is) return
    charge.standing = { ...charge.standing, heldTo: is }
    if (was !== undefined && is !== undefined) return
    const fields = { pod: keyOfPod(seen), to: is, used: charge.standing.used }
    if (is === undefined) log('info', messages.protectionEnded, fields)
    else {
      log('warn', messages.guardrailTriggered, { ...fields, reason: hurtIn(charges.values()) })
      metrics.protectedSomebody()
    }
  }

  const enforce = ({ seen, charge, measured }: Ward, around: Around): void => {
    const wanted = enforcedOf({ seen, charge, cpus: needs.node().cpus, config, ...around })
    const readings = measured.map(({ last }) => last)
    const shares = kernel?.enforce(seen, wanted, readings)
    charge.standing = { ...charge.standing, shares }
  }

  const claimsOf = (pods: readonly SeenPod[]): Claim[] =>
    pods.flatMap((seen) => {
      const charge = charges.get(seen.uid)
      return charge && isMovable(seen, charge) ? [claimOf(seen, charge)] : []
    })

  /** Those that take no part are in it too, and weigh what they request. */
  const insideBurstable = (pods: readonly SeenPod[]): TopLevel => {
    let [requested, weight] = [0, 0]
    for (const { uid, place, pod, containers } of pods) {
      if (place.qosClass !== 'Burstable') continue
      const { request } = cpuOfPodGroup(pod.spec)
      const standing = charges.get(uid)?.standing
      requested += request
      const used = standing?.used ?? 1000 * usedIn(containers)
      if (used >= WORKS_MILLI) weight += (standing?.shares ?? requestShares(request)) / 1024
    }
    return { requested: requested as Millicores, weight }
  }

  const usedIn = (containers: SeenPod['containers']): number =>
    containers.reduce((sum, { place }) => {
      const { rates } = (place && sampler.trackedOf(place.containerId)) ?? {}
      return sum + (rates?.usageCores ?? 0)
    }, 0)

  const sample = (signal: AbortSignal): void => {
    if (signal.aborted) return
    const pods = shared.seenPods()
    const stirred = measure(pods)
    const strange = pods.filter((pod) => !familiar.has(pod))
    const active = pods.filter((pod) => stirred.has(pod.uid) || !familiar.has(pod))
    for (const pod of strange) familiar.add(pod)
    const wards = active.flatMap(wardOf)
    // Of one that only changed its object the last sample has counted.
    for (const ward of wards) if (stirred.has(ward.seen.uid)) judgeOne(ward)
    protectAll(pods)
    const held = pods.filter(
      ({ uid }) => protection.held.has(uid) && !active.some((pod) => pod.uid === uid),
    )
    const enforced = [...wards, ...held.flatMap(wardOf)]
    const isBeside = enforced.some(({ seen }) => seen.place.qosClass === 'Guaranteed')
    const inside = isBeside ? insideBurstable(pods) : NOBODY
    const claims = claimsOf(pods)
    const largest = claims.reduce((most, { entitled }) => Math.max(most, entitled), 0)
    const laneFactor = laneFactorFor(largest / 1000)
    const around = { inside, laneFactor, scale: scaleOf(claims, laneFactor) }
    for (const ward of enforced) enforce(ward, around)
    for (const pod of active) if (!isMovable(pod, charges.get(pod.uid))) kernel?.release(pod)
    const hasIdleCpu = idleCpu.hasIdleCpu()
    shared.isClearingWanted ||=
      active.some(isNew) || strange.some(isChanged) || (wasIdle && !hasIdleCpu)
    wasIdle = hasIdleCpu
  }

  return { sample }
}

const usedBy = (charges: Iterable<Charge>): number =>
  [...charges].reduce((sum, { standing }) => sum + standing.used, 0) / 1000

const hurtIn = (charges: Iterable<Charge>): string =>
  [...charges]
    .filter(suffers)
    .map(({ decision, standing }) => `${keyOfPod(decision.pod)}: ${standing.verdict?.reason}`)
    .slice(0, 3)
    .join('; ')

type Around = { readonly inside: TopLevel; readonly laneFactor: number; readonly scale: number }

const NOBODY: TopLevel = { requested: 0 as Millicores, weight: 0 }
const WORKS_MILLI = 10

function sampleOf(measured: readonly Measured[]) {
  const total = {
    demandCores: 0,
    periods: 0,
    throttledPeriods: 0,
    throttledSeconds: 0,
    waitedSeconds: 0,
    burstPeriods: 0,
  }
  for (const { level, rates, waitedCores, dropped } of measured) {
    total.demandCores += level.estimate
    if (dropped !== undefined) continue
    total.periods += rates.periods
    total.throttledPeriods += rates.throttledPeriods
    total.throttledSeconds += rates.throttledCores * rates.seconds
    total.waitedSeconds += waitedCores * rates.seconds
    total.burstPeriods += rates.burstPeriods
  }
  return total
}
