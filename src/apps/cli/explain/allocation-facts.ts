/** What a PodAllocation says, with amounts in millicores. */
import { isPersons, millicoresIn, type PodAllocation } from '../../../apis/pod-allocation.ts'
import type { Mode } from '../../../core/market/clear.ts'
import { row, type Style } from '../output.ts'
import { count, showAge, showMillicores, showPrice } from '../show.ts'
import { entryOf } from './troubleshooting.ts'

/** Null: none is set, or it is not known. */
export type Amounts = { readonly request: number | null; readonly limit: number | null }

export type AllocationFacts = {
  readonly pod: string
  readonly node: string | null
  readonly desired: Amounts
  readonly applied: Amounts
  /** Before MBCAS first changed it. */
  readonly original: Amounts
  readonly need: number | null
  /** What is its own, whatever other namespaces want. */
  readonly entitled: number | null
  /** What the market gave it. */
  readonly gets: number | null
  readonly mode: Mode | null
  readonly price: number | null
  /** Why it gets this much, in words. */
  readonly why: string | null
  /** Which annotations do not count as written, in words. */
  readonly notes: readonly string[]
  readonly urgency: 'normal' | 'guardrail'
  /** A person owns it, and the agent leaves it alone. */
  readonly isOverridden: boolean
  readonly phase: 'Pending' | 'Applied' | 'Failed'
  /** One word; null until a controller has looked at it. */
  readonly reason: string | null
  readonly message: string | null
  readonly lastAttemptTime: string | null
  readonly lastAppliedTime: string | null
  readonly attempts: number
}

/** With the entry of its reason in docs/troubleshooting.md. */
export type ExplainedAllocation = AllocationFacts & { readonly means: string | null }

export function explained(allocation: PodAllocation, entries: string): ExplainedAllocation {
  const facts = allocationFacts(allocation)
  return {
    ...facts,
    means: facts.reason === null ? null : (entryOf(entries, facts.reason) ?? null),
  }
}

export function allocationFacts(allocation: PodAllocation): AllocationFacts {
  const { metadata, spec, status = {} } = allocation
  const { decision = {} } = spec
  return {
    pod: `${metadata.namespace}/${spec.podName}`,
    node: spec.nodeName ?? null,
    desired: amountsOf(spec.desiredCPURequest, spec.desiredCPULimit),
    applied: amountsOf(status.appliedCPURequest, status.appliedCPULimit),
    original: amountsOf(status.originalCPURequest, status.originalCPULimit),
    need: amountOf(decision.need),
    entitled: amountOf(decision.entitled),
    gets: amountOf(decision.gets),
    mode: decision.mode ?? null,
    price: decision.price ?? null,
    why: decision.reason ?? null,
    notes: decision.notes ?? [],
    urgency: spec.urgency ?? 'normal',
    isOverridden: isPersons(allocation),
    phase: status.phase ?? 'Pending',
    reason: status.reason ?? null,
    message: status.message ?? null,
    lastAttemptTime: status.lastAttemptTime ?? null,
    lastAppliedTime: status.lastAppliedTime ?? null,
    attempts: status.attempts ?? 0,
  }
}

type Quantity = string | number | undefined

const amountOf = (quantity: Quantity): number | null =>
  quantity === undefined ? null : millicoresIn(quantity)

export const amountsOf = (request: Quantity, limit: Quantity): Amounts => ({
  request: amountOf(request),
  limit: amountOf(limit),
})

export const showAmounts = ({ request, limit }: Amounts): string =>
  `request ${showAmount(request)}, limit ${showAmount(limit)}`

export const showAmount = (amount: number | null): string =>
  amount === null ? 'none' : showMillicores(amount)

type Told = {
  readonly now: number
  /** Else it is only recommended, and nobody keeps what it says. */
  readonly isEnforced: boolean
}

/** The lines that a pod and its allocation have in common. */
export function decisionLines(
  facts: ExplainedAllocation,
  { now, isEnforced }: Told,
  style: Style,
): string[] {
  const { original, applied, gets, price, mode, urgency, why, reason, means } = facts
  const at = price === null ? '' : `, at ${showPrice(price)} per millicore`
  const how = [...(mode === null ? [] : [mode]), ...(urgency === 'guardrail' ? ['urgent'] : [])]
  const when = how.length === 0 ? '' : ` (${how.join(', ')})`
  const isKnown = original.request !== null || original.limit !== null
  const isSame = original.request === applied.request && original.limit === applied.limit
  return [
    ...(facts.entitled === null
      ? []
      : row('entitled', entitledText(facts.entitled, isEnforced), style)),
    ...(facts.need === null ? [] : row('needs', showMillicores(facts.need), style)),
    ...(gets === null
      ? []
      : row('gets', `${isEnforced ? '' : 'would get '}${showMillicores(gets)}${at}${when}`, style)),
    ...row('desired', `${showAmounts(facts.desired)}${gets === null ? at + when : ''}`, style),
    ...(isKnown && !isSame
      ? row('before', `${showAmounts(original)}, again when it opts out`, style)
      : []),
    ...row('state', stateOf(facts, now), style),
    ...(why === null ? [] : row('why', isEnforced ? why : `in mode auto it ${why}`, style)),
    ...facts.notes.flatMap((note) => row('note', note, style)),
    // What needs no doing needs no explanation.
    ...(means === null || reason === 'Applied' ? [] : row('means', `${reason}: ${means}`, style)),
  ]
}

const entitledText = (entitled: number, isEnforced: boolean): string =>
  isEnforced
    ? `to ${showMillicores(entitled)}; within that it goes before other namespaces`
    : `would be entitled to ${showMillicores(entitled)}`

function stateOf(facts: AllocationFacts, now: number): string {
  const { phase, lastAppliedTime, lastAttemptTime, attempts, message } = facts
  const time = phase === 'Applied' ? lastAppliedTime : lastAttemptTime
  const age = time === null ? '' : ` ${showAge(now - Date.parse(time))} ago`
  const tries = phase !== 'Applied' && attempts > 1 ? ` after ${count(attempts, 'attempt')}` : ''
  return `${phase}${age}${tries}: ${message ?? 'no controller has looked at it yet'}`
}
