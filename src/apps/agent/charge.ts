/** What the agent remembers of a pod that takes part, from sample to sample. */
import type { Decision } from '../../core/bidding/plan.ts'
import type { NodePod } from '../../core/bidding/pod.ts'
import type { Publication } from '../../core/demand/publication.ts'
import type { Tracked } from '../../core/demand/tracker.ts'
import { type Standing, startStanding } from '../../core/enforcement/standing.ts'
import { isSuffering } from '../../core/guardrail/signals.ts'
import { type Millicores, type Millis, sum, sumOfAll } from '../../core/units.ts'
import type { ToldAmounts } from './allocation.ts'
import type { Sampler, Spell } from './sampler.ts'
import type { SeenPod } from './seen-pod.ts'

export type Charge = {
  /** Of the last clearing. */
  decision: Decision
  /** What was told to the API: limit, or request where there is no limit. */
  published: { limit: Publication; request: Publication }
  /** Whether any of it was; until then it stands for what the pod came with. */
  isTold: boolean
  standing: PodStanding
  /** A person owns its PodAllocation: it is left alone. */
  isOverridden: boolean
  /** When that was last asked, and what its spec had then; undefined until it was. */
  asked: { readonly at: Millis; readonly has: Millicores } | undefined
}

/** How it does, from sample to sample; only `guarding.ts` writes it. */
export type PodStanding = Standing & {
  /** In the last sample. */
  readonly used: Millicores
  /** Since when it has suffered without a break. */
  readonly badSince: Millis | undefined
  /** When it last missed its latency target with all of its entitlement in use. */
  readonly shortAt: Millis | undefined
  /** What it is held to, to protect somebody else. */
  readonly heldTo: Millicores | undefined
  /** In cpu.shares, as it was last set. */
  readonly shares: number | undefined
}

export const noStanding: PodStanding = {
  ...startStanding,
  used: 0 as Millicores,
  badSince: undefined,
  shortAt: undefined,
  heldTo: undefined,
  shares: undefined,
}

export const suffers = ({ standing }: Charge): boolean => isSuffering(standing.verdict)

/** Of its ceiling: who uses so much is held by that, and not by its neighbours. */
const AT_CEILING = 0.9

/** The ceiling that a person set and that holds it, of all of it or of one container, if one does. */
export function holdingCeiling({ decision, standing }: Charge): Millicores | undefined {
  const { ceilingByHand = Infinity as Millicores, bid, pod } = decision
  const whole = Math.max(ceilingByHand, bid.floor) as Millicores // no ceiling is below the floor
  if (standing.used >= AT_CEILING * whole) return whole
  const { container: each = Infinity as Millicores } = pod.range ?? {}
  const isOneHeld = pod.containers.some(
    ({ usageCores = 0 }) => 1000 * usageCores >= AT_CEILING * each,
  )
  return isOneHeld ? each : undefined
}

/** What stands there counts as told just now: little is known yet, so nothing is lowered soon. */
export function chargeOf(decision: Decision, now: Millis): Charge {
  const first = (amount: Millicores): Publication => ({ amount, at: now })
  return {
    decision,
    published: {
      limit: first(limitIn(decision) ?? decision.limit),
      request: first(requestIn(decision)),
    },
    isTold: false,
    standing: noStanding,
    isOverridden: false,
    asked: undefined,
  }
}

/** What an agent before us told the API counts as told just now: it is neither repeated nor forgotten. */
export function adopt(charge: Charge, { limit, request }: ToldAmounts, at: Millis): void {
  const { published } = charge
  charge.isTold = true
  charge.published = {
    limit: { amount: limit ?? published.limit.amount, at },
    request: { amount: request ?? published.request.amount, at },
  }
}

/** Whoever opts out is left alone at once, not only from the next clearing. */
export const isMovable = ({ wishes, options }: SeenPod, charge: Charge | undefined): boolean =>
  options.mode === 'auto' && !wishes.isOptedOut && charge?.isOverridden === false

/** What it has by its spec; undefined where some container has no limit. */
export const limitIn = ({ pod }: Decision): Millicores | undefined =>
  sumOfAll(pod.containers.map(({ limit }) => limit))

export const requestIn = ({ pod }: Decision): Millicores =>
  sum(pod.containers.map(({ request = 0 as Millicores }) => request))

export type TrackedOf = (containerId: string) => Tracked | undefined

/** Every container that should run does, and was sampled twice or more. */
export const isMeasured = (containers: SeenPod['containers'], trackedOf: TrackedOf): boolean =>
  containers.every(
    ({ place }) => place !== undefined && trackedOf(place.containerId)?.demandCores !== undefined,
  )

/** The last samples of its containers that run; undefined while none is measured. */
export function measuredOf(
  { containers }: SeenPod,
  { trackedOf, spellOf }: Pick<Sampler, 'trackedOf' | 'spellOf'>,
): readonly Measured[] | undefined {
  const found: Measured[] = []
  for (const { place } of containers) {
    const tracked = place && trackedOf(place.containerId)
    const spell = place && spellOf(place.containerId)
    if (tracked?.rates === undefined || tracked.level === undefined || spell === undefined) continue
    found.push({ ...tracked, rates: tracked.rates, level: tracked.level, spell })
  }
  return found.length === 0 ? undefined : found
}

export type Measured = Tracked & {
  readonly rates: NonNullable<Tracked['rates']>
  readonly level: NonNullable<Tracked['level']>
  readonly spell: Spell
}

/** It was taken at the end of the spell; a calm one has been counted up to its last sample. */
export const isNew = ({ last, spell }: Measured): boolean =>
  spell.to === last && spell.from !== last

export const demandIn = ({ containers }: NodePod): number =>
  containers.reduce((sum, { demandCores = 0 }) => sum + demandCores, 0)
