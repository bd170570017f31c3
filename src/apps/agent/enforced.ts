/** What the kernel is to enforce for a pod: the weight that it has now, and the quota that holds it. */
import type { AgentConfig } from '../../apis/agent-config.ts'
import { sayOf } from '../../core/bidding/weights.ts'
import { isInLane } from '../../core/enforcement/lane.ts'
import type { Own, Owner } from '../../core/enforcement/own.ts'
import type { ActiveClaim } from '../../core/enforcement/scale.ts'
import {
  besideBurstable,
  sharesOf,
  type TopLevel,
  urgencyOf,
  weighOn,
} from '../../core/enforcement/weigh.ts'
import type { Millicores } from '../../core/units.ts'
import type { Charge } from './charge.ts'
import type { Enforced } from './kernel.ts'
import { hasOwnTarget, type SeenPod } from './seen-pod.ts'

export type EnforcedQuestion = {
  readonly seen: SeenPod
  readonly charge: Charge
  /** Of the machine. */
  readonly cpus: number
  readonly config: Pick<AgentConfig, 'usesBurst'>
  /** Where Guaranteed pods take part. */
  readonly inside: TopLevel
  /** Of the node's lane. */
  readonly laneFactor: number
  /** Of all weights. */
  readonly scale: number
  /** By UID, what counts as a pod's own inside its namespace; the entitlement of those that are not in it. */
  readonly own: ReadonlyMap<string, Own>
}

export function claimOf(
  seen: SeenPod,
  { decision, standing }: Charge,
  all: ReadonlyMap<string, Own>,
): ActiveClaim {
  const { given, secured: entitled } = decision
  const { credits, marketCredits, verdict, used } = standing
  const urgency = urgencyOf(hasOwnTarget(seen), verdict.slowRatio)
  const own = all.get(seen.uid)
  return {
    entitled,
    given,
    credits,
    marketCredits,
    urgency,
    used,
    ...(own !== undefined && { own }),
  }
}

/** From here on a pod wants CPU. */
export const WORKS_MILLI = 10
/** Of what it wants: who waits all the time wants no more than so many times what it uses. */
const MOST_WAITED_RATIO = 0.95

export function ownerOf(seen: SeenPod, { decision, standing }: Charge): Owner {
  const { usedCores, waitedRatio } = standing.waiting
  return {
    id: seen.uid,
    namespace: seen.namespace,
    entitled: decision.secured,
    say: sayOf(decision.pod),
    hasTarget: hasOwnTarget(seen),
    works: standing.used >= WORKS_MILLI,
    isInLane: isInLane(standing.credits),
    isStrict: decision.enforcement === 'strict',
    wanted: Math.max(
      standing.used,
      (1000 * usedCores) / (1 - Math.min(MOST_WAITED_RATIO, waitedRatio)),
    ),
  }
}

export function enforcedOf(question: EnforcedQuestion): Enforced {
  const { seen, charge, cpus, config, inside, laneFactor, scale, own } = question
  const { enforcement, pod } = charge.decision
  const { heldTo } = charge.standing
  const weight = weighOn(scale, claimOf(seen, charge, own), laneFactor)
  const shares = sharesOf(pod.qosClass === 'Guaranteed' ? besideBurstable(weight, inside) : weight)
  if (enforcement === 'strict') return { shares, ...strictQuotas(charge, seen, config) }
  const held = leastOf(ceilingOf(seen), heldTo)
  const isLimited = seen.containers.some(({ limit }) => limit !== undefined)
  const quota = held ?? (isLimited ? ((cpus * 1000) as Millicores) : undefined)
  return { shares, quota, quotas: eachHeldTo(seen, held), bursts: false }
}

/**
 * As it stands now: whoever sets a ceiling does not wait for the next clearing. Of a strict pod
 * `mbcas.io/max-cpu` is never below its floor.
 */
function ceilingOf(
  { wishes, range, containers }: SeenPod,
  floor = 0 as Millicores,
): Millicores | undefined {
  const { pod = Infinity, container = Infinity } = range ?? {}
  const byHand = Math.max(wishes.maxCpu ?? Infinity, floor)
  const most = Math.min(byHand, pod, container * containers.length)
  return most === Infinity ? undefined : (most as Millicores)
}

/** A LimitRange that bounds each container holds each by itself. */
function eachHeldTo(
  { range, containers }: SeenPod,
  held: Millicores | undefined,
): ReadonlyMap<string, Millicores> | undefined {
  const { container } = range ?? {}
  if (container === undefined || held === undefined || containers.length === 1) return undefined
  const most = Math.min(container, held) as Millicores
  return new Map(containers.map(({ name }) => [name, most]))
}

const leastOf = (a: Millicores | undefined, b: Millicores | undefined): Millicores | undefined =>
  a === undefined || b === undefined ? (a ?? b) : (Math.min(a, b) as Millicores)

/** A share is set where the pod has limits; who has none is held by its weight. */
function strictQuotas(
  { decision }: Charge,
  seen: SeenPod,
  { usesBurst }: Pick<AgentConfig, 'usesBurst'>,
): Omit<Enforced, 'shares'> {
  const { container: most = Infinity } = seen.range ?? {}
  const limits = decision.containers.flatMap(({ name, limit }) =>
    limit === undefined ? [] : [[name, Math.min(limit, most) as Millicores] as const],
  )
  if (limits.length < seen.containers.length) {
    const ceiling = ceilingOf(seen, decision.bid.floor)
    return { quota: ceiling ?? 'asIs', quotas: eachHeldTo(seen, ceiling), bursts: false }
  }
  const bursts = usesBurst && seen.options.allowsBurst
  const quota = leastOf(decision.limit, ceilingOf(seen, decision.bid.floor))
  const quotas = quota === decision.limit ? new Map(limits) : eachHeldTo(seen, quota)
  return { quota, quotas, bursts }
}
