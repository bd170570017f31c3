/** What the weight of a pod depends on besides the pod: the others on its node. */
import { leastShares, requestShares } from '../../core/cgroup/weight.ts'
import { laneFactorFor } from '../../core/enforcement/lane.ts'
import { largestOwn, type Own, ownOf } from '../../core/enforcement/own.ts'
import { scaleOf, startScale, stepScale } from '../../core/enforcement/scale.ts'
import { SHARES_PER_CPU, type TopLevel } from '../../core/enforcement/weigh.ts'
import type { AgentNeeds } from './agent.ts'
import { type Charge, isMovable } from './charge.ts'
import { claimOf, ownerOf, WORKS_MILLI } from './enforced.ts'
import type { Kernel } from './kernel.ts'
import { cpuOfPodGroup } from './pod-group.ts'
import type { Sampler } from './sampler.ts'
import type { SeenPod } from './seen-pod.ts'

export type Around = {
  /** Where Guaranteed pods take part. */
  readonly inside: TopLevel
  /** Of the node's lane. */
  readonly laneFactor: number
  /** Of all weights. */
  readonly scale: number
  /** By UID, what counts as a pod's own inside its namespace. */
  readonly own: ReadonlyMap<string, Own>
}

type WeighingNeeds = Pick<AgentNeeds, 'clock' | 'cgroups'> & {
  readonly kernel: Kernel | undefined
  readonly charges: ReadonlyMap<string, Charge>
  readonly sampler: Pick<Sampler, 'trackedOf'>
}

export type Weighing = {
  /** Once a sample: the scale rises by the time that passed. */
  readonly around: (pods: readonly SeenPod[]) => Around
}

const NOBODY: TopLevel = { group: 0, weight: 0 }

export function createWeighing(needs: WeighingNeeds): Weighing {
  const { clock, charges, sampler } = needs
  const leastWeight = (needs.cgroups.leastShares ?? leastShares.v1) / SHARES_PER_CPU
  let steady = startScale
  let scaledAt = clock.now()

  const moved = (pods: readonly SeenPod[]): { seen: SeenPod; charge: Charge }[] =>
    pods.flatMap((seen) => {
      const charge = charges.get(seen.uid)
      return charge && isMovable(seen, charge) ? [{ seen, charge }] : []
    })

  const around = (pods: readonly SeenPod[]): Around => {
    const now = clock.now()
    const seconds = (now - scaledAt) / 1000
    scaledAt = now
    const parts = moved(pods)
    const owners = parts.map(({ seen, charge }) => ownerOf(seen, charge))
    const own = ownOf(owners)
    const claims = parts.map(({ seen, charge }) => claimOf(seen, charge, own))
    const largest = largestOwn(owners)
    const others = pods.filter(
      (pod) => pod.place.qosClass === 'Burstable' && !isMovable(pod, charges.get(pod.uid)),
    )
    const unit = unitOf(others)
    const laneFactor = laneFactorFor(largest * unit)
    const isBeside = claims.length > 0 && pods.some(isGuaranteedPart)
    const question = { laneFactor, largest, hasOthers: others.length > 0, unit, leastWeight }
    steady = stepScale(steady, scaleOf(claims, question), seconds)
    return {
      inside: isBeside ? insideBurstable(pods) : NOBODY,
      laneFactor,
      scale: steady.scale,
      own,
    }
  }

  const kubeletShares = (request: number): number =>
    needs.kernel?.kubeletShares(request) ?? requestShares(request)

  const unitOf = (others: readonly SeenPod[]): number => {
    let [given, straight] = [0, 0]
    for (const { pod } of others) {
      const { request } = cpuOfPodGroup(pod.spec)
      given += kubeletShares(request)
      straight += requestShares(request)
    }
    return Math.max(1, straight === 0 ? 1 : given / straight)
  }

  const isGuaranteedPart = (pod: SeenPod): boolean =>
    pod.place.qosClass === 'Guaranteed' && isMovable(pod, charges.get(pod.uid))

  /** Those that take no part are in it too, and weigh what they request. */
  const insideBurstable = (pods: readonly SeenPod[]): TopLevel => {
    let [requested, weight] = [0, 0]
    for (const { uid, place, pod, containers } of pods) {
      // One that its kubelet has not taken is in no group yet.
      if (place.qosClass !== 'Burstable' || pod.status?.startTime === undefined) continue
      const { request } = cpuOfPodGroup(pod.spec)
      const standing = charges.get(uid)?.standing
      requested += request
      const used = standing?.used ?? 1000 * usedIn(containers)
      if (used >= WORKS_MILLI)
        weight += (standing?.shares ?? kubeletShares(request)) / SHARES_PER_CPU
    }
    return { group: kubeletShares(requested) / SHARES_PER_CPU, weight }
  }

  const usedIn = (containers: SeenPod['containers']): number =>
    containers.reduce((sum, { place }) => {
      const { rates } = (place && sampler.trackedOf(place.containerId)) ?? {}
      return sum + (rates?.usageCores ?? 0)
    }, 0)

  return { around }
}
