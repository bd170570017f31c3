/** The quick rhythm: measure, judge who suffers, and set weights and quotas in the kernel. */
import { isSameWeight } from '../../core/enforcement/weigh.ts'
import { isSuffering, type Latency } from '../../core/guardrail/signals.ts'
import type { AgentNeeds, Shared } from './agent.ts'
import {
  type Charge,
  isMeasured,
  isMovable,
  type Measured,
  measuredOf,
  noStanding,
  suffers,
} from './charge.ts'
import { enforcedOf } from './enforced.ts'
import { type IdleCpu, sharedCpusOf } from './idle-cpu.ts'
import type { Kernel } from './kernel.ts'
import { createProtecting } from './protecting.ts'
import type { Sampler } from './sampler.ts'
import { type SeenPod, targetOf } from './seen-pod.ts'
import { sampleOf, stepPod } from './standing.ts'
import { createWeighing } from './weighing.ts'

type GuardingNeeds = Pick<
  AgentNeeds,
  'config' | 'cgroups' | 'clock' | 'log' | 'metrics' | 'node' | 'nodeCpus' | 'latencies'
> & {
  readonly shared: Shared
  readonly sampler: Sampler
  readonly kernel: Kernel | undefined
  readonly idleCpu: IdleCpu
}

/** A pod that takes part, with all that is needed to enforce its share. */
type Ward = {
  readonly seen: SeenPod
  readonly charge: Charge
  readonly measured: readonly Measured[]
}

export function createGuarding(needs: GuardingNeeds) {
  const { config, clock, log, metrics, shared, sampler, kernel, idleCpu } = needs
  const { charges } = shared
  let wasBlind = false
  let wasIdle = true
  const protecting = createProtecting({ ...needs, charges })
  const weighing = createWeighing({ ...needs, charges })
  let around = weighing.around([])
  /** Those that were looked at since they changed. */
  const familiar = new WeakSet<SeenPod>()

  /** Measured, and not yet in any clearing. */
  const isNew = ({ uid, containers }: SeenPod): boolean =>
    !shared.cleared.has(uid) && isMeasured(containers, sampler.trackedOf)

  /** What its owner asks for is another than at the last clearing. */
  const isChanged = ({ uid, wishes, bounds, options, range }: SeenPod): boolean => {
    const pod = charges.get(uid)?.decision.pod
    if (pod === undefined) return false
    const { enforcement = needs.node().enforcement } = options
    const { shareFactor, maxMinCpu } = pod
    return (
      JSON.stringify([wishes, enforcement, bounds, range]) !==
      JSON.stringify([pod.wishes, pod.enforcement, { shareFactor, maxMinCpu }, pod.range])
    )
  }

  /** UIDs of those that are not calm, and how many CPUs all share. */
  const measure = (pods: readonly SeenPod[]) => {
    const { cpus } = needs.node()
    const shares = sharedCpusOf(pods, { ...sampler, cpus, nodeCpus: needs.nodeCpus() })
    idleCpu.look({ ...shares, usedCores: () => usedBy(charges.values()) })
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
    return { stirred: counts.stirred, sharedCpus: shares.cpus }
  }

  const latencyOf = (pod: SeenPod): Latency | undefined => {
    const targetMillis = targetOf(pod, config)
    const measured = needs.latencies?.of(pod)
    if (measured === undefined || targetMillis === undefined) return undefined
    return { ...measured, targetMillis }
  }

  const wardOf = (seen: SeenPod): Ward[] => {
    const charge = charges.get(seen.uid)
    const measured = charge && measuredOf(seen, sampler)
    return charge === undefined || measured === undefined ? [] : [{ seen, charge, measured }]
  }

  const isMoved = ({ seen, charge }: Pick<Ward, 'seen' | 'charge'>): boolean =>
    isMovable(seen, charge)

  /** In mode recommend a pod is judged, and nothing of it is set; while none of it runs, it is well. */
  const letGo = (seen: SeenPod): void => {
    kernel?.release(seen)
    const charge = charges.get(seen.uid)
    if (charge === undefined) return
    charge.standing = { ...charge.standing, shares: undefined, heldTo: undefined }
  }

  const rest = (seen: SeenPod): void => {
    const charge = charges.get(seen.uid)
    if (charge === undefined || seen.containers.some(({ place }) => place !== undefined)) return
    const { credits, marketCredits, heldTo } = charge.standing
    charge.standing = { ...noStanding, credits, marketCredits, heldTo }
  }

  const judgeOne = ({ seen, charge, measured }: Ward, sharedCpus: number): void => {
    charge.standing = stepPod(charge, {
      measured,
      latency: latencyOf(seen),
      now: clock.now(),
      cpus: sharedCpus,
      hasIdleCpu: idleCpu.hasIdleCpu(),
      throttledRatio: config.guardrail.throttledRatio,
    })
    if (suffers(charge)) shared.isClearingWanted = true
    show({ seen, charge, measured })
  }

  const show = ({ seen, charge, measured }: Ward): void => {
    metrics.measured(seen, sampleOf(measured))
    const { verdict, credits, shares } = charge.standing
    const p99Millis = needs.latencies?.of(seen)?.p99Millis
    metrics.judged(seen, { isSuffering: isSuffering(verdict), credits, shares, p99Millis })
  }

  const enforce = ({ seen, charge, measured }: Ward): void => {
    const wanted = enforcedOf({ seen, charge, cpus: needs.node().cpus, config, ...around })
    const readings = measured.map(({ last }) => last)
    const shares = kernel?.enforce(seen, wanted, readings)
    charge.standing = { ...charge.standing, shares }
  }

  /** A weight counts beside the others: on another scale all of them are another. */
  const affectedBy = (pods: readonly SeenPod[]): readonly SeenPod[] => {
    const before = around
    around = weighing.around(pods)
    if (around.laneFactor !== before.laneFactor || around.scale !== before.scale) return pods
    const isOtherBeside = !isSameWeight(around.inside.weight, before.inside.weight)
    return pods.filter(
      ({ uid, place }) =>
        protecting.isHeld(uid) || (isOtherBeside && place.qosClass === 'Guaranteed'),
    )
  }

  const sample = (signal: AbortSignal): void => {
    if (signal.aborted) return
    const pods = shared.seenPods()
    const { stirred, sharedCpus } = measure(pods)
    const strange = pods.filter((pod) => !familiar.has(pod))
    const active = pods.filter((pod) => stirred.has(pod.uid) || !familiar.has(pod))
    for (const pod of strange) familiar.add(pod)
    const wards = active.flatMap(wardOf)
    // Of one that only changed its object the last sample has counted.
    for (const ward of wards) if (stirred.has(ward.seen.uid)) judgeOne(ward, sharedCpus)
    for (const pod of strange) rest(pod)
    protecting.look(pods)
    const affected = affectedBy(pods)
    const calm = affected.length === 0 ? [] : without(affected, active)
    for (const ward of [...wards, ...calm.flatMap(wardOf)]) if (isMoved(ward)) enforce(ward)
    for (const pod of active) if (!isMovable(pod, charges.get(pod.uid))) letGo(pod)
    const hasIdleCpu = idleCpu.hasIdleCpu()
    shared.isClearingWanted ||=
      active.some(isNew) || strange.some(isChanged) || (wasIdle && !hasIdleCpu)
    wasIdle = hasIdleCpu
  }

  return { sample }
}

const without = (pods: readonly SeenPod[], some: readonly SeenPod[]): SeenPod[] => {
  const out = new Set(some)
  return pods.filter((pod) => !out.has(pod))
}

const usedBy = (charges: Iterable<Charge>): number =>
  [...charges].reduce((sum, { standing }) => sum + standing.used, 0) / 1000
