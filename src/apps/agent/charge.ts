/** What the agent remembers of a pod that takes part, from sample to sample. */
import type { CostSearch } from '../../core/bidding/cost-search.ts'
import type { Decision } from '../../core/bidding/plan.ts'
import { millicoresUp, type NodePod } from '../../core/bidding/pod.ts'
import type { Publication } from '../../core/demand/publication.ts'
import type { Tracked } from '../../core/demand/tracker.ts'
import type { Move } from '../../core/guardrail/fund-raises.ts'
import { type GuardState, type GuardStep, startGuard } from '../../core/guardrail/guardrail.ts'
import { type Millicores, type Millis, sum, sumOfAll } from '../../core/units.ts'
import type { ToldAmounts } from './allocation.ts'
import type { SeenPod } from './seen-pod.ts'

export type Charge = {
  /** Of the last clearing. */
  decision: Decision
  /** What was last sent to the API, by container, whether or not it arrived. */
  limits: ReadonlyMap<string, Millicores>
  /** What was told to the API: limit, or request where there is no limit. */
  published: { limit: Publication; request: Publication }
  /** Whether any of it was; until then it stands for what the pod came with. */
  isTold: boolean
  /** In force in the kernel since the last sample. */
  quota: Millicores
  /** The limit that is on its way to the API. */
  sending: Millicores | undefined
  guard: GuardState
  lastGuard: GuardStep | undefined
  /** What its quota was raised to, and why, until that is told. */
  raise: Pick<Move, 'to' | 'reason'> | undefined
  /** Since when it has suffered without a break. */
  badSince: Millis | undefined
  /** When it was last told to the API out of turn. */
  hurriedAt: Millis
  trial: Trial
  search: CostSearch | undefined
  /** A person owns its PodAllocation: it is left alone. */
  isOverridden: boolean
  /** When that was last asked, and what its spec had then; undefined until it was. */
  asked: { readonly at: Millis; readonly has: Millicores } | undefined
}

/** Since the last clearing. */
export type Trial = {
  readonly periods: number
  readonly throttledPeriods: number
  /** The least that was in force; undefined until there is a sample. */
  readonly quota: Millicores | undefined
}

export const noTrial: Trial = { periods: 0, throttledPeriods: 0, quota: undefined }

/** What stands there counts as told just now: little is known yet, so nothing is lowered soon. */
export function chargeOf(decision: Decision, now: Millis): Charge {
  const first = (amount: Millicores): Publication => ({ amount, at: now })
  return {
    decision,
    limits: new Map(),
    published: {
      limit: first(limitIn(decision) ?? decision.limit),
      request: first(requestIn(decision)),
    },
    isTold: false,
    quota: 0 as Millicores,
    sending: undefined,
    guard: startGuard,
    lastGuard: undefined,
    raise: undefined,
    badSince: undefined,
    hurriedAt: -Infinity as Millis,
    trial: noTrial,
    search: undefined,
    isOverridden: false,
    asked: undefined,
  }
}

/** What an agent before us told the API counts as told just now: it is neither repeated nor forgotten. */
export function adopt(charge: Charge, { limits, limit, request }: ToldAmounts, at: Millis): void {
  const { published, decision } = charge
  charge.isTold = true
  charge.limits = limits
  charge.quota = limitIn(decision) ?? charge.quota // until the next sample
  charge.published = {
    limit: { amount: limit ?? published.limit.amount, at },
    request: { amount: request ?? published.request.amount, at },
  }
}

/** Whoever opts out is left alone at once, not only from the next clearing. */
export const isMovable = ({ wishes, options }: SeenPod, charge: Charge | undefined): boolean =>
  options.mode === 'auto' && !wishes.isOptedOut && charge?.isOverridden === false

/** What the API was told that it may have, or is being told; 0 if nothing yet. */
export const toldIn = ({ isTold, published, sending = 0 as Millicores }: Charge): Millicores =>
  Math.max(isTold ? published.limit.amount : 0, sending) as Millicores

/** What it has by its spec; undefined where some container has no limit. */
export const limitIn = ({ pod }: Decision): Millicores | undefined =>
  sumOfAll(pod.containers.map(({ limit }) => limit))

export const requestIn = ({ pod }: Decision): Millicores =>
  sum(pod.containers.map(({ request = 0 as Millicores }) => request))

/** The containers with their last samples; undefined until every one is measured and has a quota. */
export function measuredOf(
  { containers }: SeenPod,
  trackedOf: (containerId: string) => Tracked | undefined,
): readonly Measured[] | undefined {
  const found: Measured[] = []
  for (const { name, place, limit } of containers) {
    const tracked = place === undefined ? undefined : trackedOf(place.containerId)
    const { law, rates, last } = tracked ?? {}
    if (place === undefined || law === undefined || rates === undefined) return undefined
    if (last === undefined || last.quotaMicros === null || limit === undefined) return undefined
    const quota = Math.round((last.quotaMicros / last.periodMicros) * 1000) as Millicores
    const { periodMicros, burstLimitMicros } = last
    const isFresh = tracked?.dropped === undefined
    const demandCores = tracked?.demandCores ?? law.estimateCores
    const kernel = { quota, periodMicros, burstLimitMicros }
    found.push({ name, place, limit, ...kernel, law, rates, demandCores, isFresh })
  }
  return found.length === 0 ? undefined : found
}

/** Every container that should run does, and was sampled twice or more. */
export const isMeasured = (
  containers: SeenPod['containers'],
  trackedOf: (containerId: string) => Tracked | undefined,
): boolean =>
  containers.every(
    ({ place }) => place !== undefined && trackedOf(place.containerId)?.demandCores !== undefined,
  )

/** By the last sample: until a pod takes part nobody guards it, and it may suffer when it comes. */
export const isThrottled = (
  containers: SeenPod['containers'],
  trackedOf: (containerId: string) => Tracked | undefined,
  throttledRatio: number,
): boolean =>
  containers.some(({ place }) => {
    const rates = place && trackedOf(place.containerId)?.rates
    return rates !== undefined && rates.throttledRatio > throttledRatio
  })

export type Measured = {
  readonly name: string
  readonly place: NonNullable<SeenPod['containers'][number]['place']>
  /** Of the spec. */
  readonly limit: Millicores
  /** In force in the kernel. */
  readonly quota: Millicores
  readonly periodMicros: number
  readonly burstLimitMicros: number | undefined
  readonly law: NonNullable<Tracked['law']>
  readonly rates: NonNullable<Tracked['rates']>
  readonly demandCores: number
  /** Its last sample counted. */
  readonly isFresh: boolean
}

export const needOf = (measured: readonly Measured[], headroomRatio: number): Millicores =>
  millicoresUp(
    measured.reduce((all, { demandCores }) => all + demandCores, 0) * (1 + headroomRatio),
  )

export const demandIn = ({ containers }: NodePod): number =>
  containers.reduce((sum, { demandCores = 0 }) => sum + demandCores, 0)
