/**
 * Checks a clearing against the definitions, by other means than found it: nothing here knows of
 * levels, slopes or searches. What is above the floor (the base, when overloaded: 0) is judged by
 *
 *   Nash   the gradient weight / above equals the price for all below their cap, and is not less for
 *          the capped; no whole unit is worth more to another than to its holder
 *   equal fractions (Kalai-Smorodinsky, overload)
 *          above / (weight x cap) is the same for all below their cap, and not more for the capped
 *
 * Returns what is wrong, in words; nothing, if all is right.
 */
import type { Unit } from '../units.ts'
import { type Bid, countedNeed } from './bid.ts'
import type { Clearing, Mode } from './clear.ts'
import { type Part, tolerance, verifyFractions, verifyGradients } from './verify-exact.ts'
import { verifyWholeUnits } from './verify-units.ts'

export function verifyClearing<U extends Unit<string>>(
  capacity: U,
  bids: readonly Bid<U>[],
  clearing: Clearing<U>,
): string[] {
  const { amounts, exact } = clearing
  if (amounts.length !== bids.length || exact.length !== bids.length) {
    return [`expected an allocation for each of ${bids.length} bids, got ${amounts.length}`]
  }
  const floors = total(bids.map((bid) => bid.floor))
  const needs = total(bids.map(countedNeed))
  const mode = needs <= capacity ? 'uncongested' : floors <= capacity ? 'congested' : 'overloaded'
  const byFractions = mode === 'overloaded' || clearing.mechanism === 'kalai-smorodinsky'
  const problems: string[] = []
  const expect = (what: string, wanted: string | number | null, got: string | number | null) => {
    if (got !== wanted) problems.push(`expected ${what} to be ${wanted}, got ${got}`)
  }
  expect('capacity', capacity, clearing.capacity)
  expect('mode', mode, clearing.mode)
  expect('slack', Math.max(0, capacity - needs), clearing.slack)
  expect('the sum of the allocations', Math.min(capacity, needs), total(amounts))
  if (mode === 'uncongested') expect('price', 0, clearing.price)
  if (mode === 'overloaded') expect('price', null, clearing.price)
  else if (mode === 'congested' && byFractions && clearing.price === null) {
    problems.push('expected a positive price, got null')
  }
  problems.push(...verifyBounds(bids, clearing, mode))
  if (mode === 'uncongested' || clearing.mode !== mode) {
    return [...problems, ...verifyCertificate(clearing, 0)]
  }
  const parts = bids.map((bid, i): Part => {
    const base = mode === 'overloaded' ? 0 : bid.floor
    const cap = mode === 'overloaded' ? bid.floor : countedNeed(bid) - bid.floor
    const { id, weight } = bid
    return { id, weight, base, cap, above: (exact[i] ?? 0) - base, units: (amounts[i] ?? 0) - base }
  })
  const amount = mode === 'overloaded' ? capacity : capacity - floors
  const found = byFractions
    ? verifyFractions(parts, { amount, capacity, price: clearing.price })
    : verifyGradients(parts, { amount, capacity, price: clearing.price })
  return [
    ...problems,
    ...found.problems,
    ...verifyWholeUnits(parts, byFractions ? 'fractions' : 'logarithms'),
    ...verifyCertificate(clearing, found.residual),
  ]
}

function verifyBounds<U extends Unit<string>>(
  bids: readonly Bid<U>[],
  { amounts, exact, capacity }: Clearing<U>,
  mode: Mode,
): string[] {
  const problems: string[] = []
  const slack = tolerance * Math.max(1, capacity)
  for (const [i, bid] of bids.entries()) {
    const need = countedNeed(bid)
    const least = mode === 'overloaded' ? 0 : mode === 'congested' ? bid.floor : need
    const most = mode === 'overloaded' ? bid.floor : need
    const [amount = NaN, value = NaN] = [amounts[i], exact[i]]
    if (!(Number.isSafeInteger(amount) && amount >= least && amount <= most)) {
      problems.push(
        `bid "${bid.id}": expected a whole amount from ${least} to ${most}, got ${amount}`,
      )
    }
    if (!(value >= least - slack && value <= most + slack)) {
      problems.push(`bid "${bid.id}": expected exact from ${least} to ${most}, got ${value}`)
    }
  }
  return problems
}

/** The reported residuals must be as small as those found here, and not claim to be exactly right when they are not. */
function verifyCertificate<U extends Unit<string>>(
  { certificate }: Clearing<U>,
  residual: number,
): string[] {
  const problems: string[] = []
  for (const field of ['primal', 'dual', 'complementarity'] as const) {
    const value = certificate[field]
    if (!(value >= 0 && value <= tolerance)) {
      problems.push(`certificate: expected ${field} from 0 to ${tolerance}, got ${value}`)
    }
  }
  const reported = Math.max(certificate.primal, certificate.dual, certificate.complementarity)
  if (residual > tolerance && reported <= tolerance) {
    problems.push(`certificate: expected a residual of about ${residual}, got ${reported}`)
  }
  return problems
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
