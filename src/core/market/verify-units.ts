/**
 * Whole units are shared best when no single unit would better be moved (enough for the whole
 * optimum, since what a unit is worth falls with every unit held): the unit of least worth that
 * somebody holds comes before the unit of greatest worth that somebody waits for. Where the worth is
 * the same, the larger weight comes first, then the smaller id.
 */
import type { Part } from './verify-exact.ts'

type Worth = 'logarithms' | 'fractions'

/** One unit of one bid: the step from `held` to `held` + 1 units. */
type Step = { readonly part: Part; readonly held: number }

export function verifyWholeUnits(parts: readonly Part[], worth: Worth): string[] {
  let lastHeld: Step | undefined
  let nextWaiting: Step | undefined
  for (const part of parts) {
    if (part.units > 0) {
      const step = { part, held: part.units - 1 }
      if (lastHeld === undefined || compare(lastHeld, step, worth) < 0) lastHeld = step
    }
    if (part.units < part.cap) {
      const step = { part, held: part.units }
      if (nextWaiting === undefined || compare(step, nextWaiting, worth) < 0) nextWaiting = step
    }
  }
  if (lastHeld === undefined || nextWaiting === undefined) return []
  if (compare(lastHeld, nextWaiting, worth) <= 0) return []
  const [holder, waiter] = [lastHeld.part.id, nextWaiting.part.id]
  return [`bid "${waiter}": would gain more from one unit than bid "${holder}", which holds it`]
}

/** Below 0 if `a` comes first, above 0 if `b` does, 0 if rounding cannot tell. */
function compare(a: Step, b: Step, worth: Worth): number {
  if (worth === 'logarithms') {
    if (a.held === b.held && (a.held === 0 || a.part.weight === b.part.weight)) return byRank(a, b)
    if (a.held === 0 || b.held === 0) return a.held === 0 ? -1 : 1
    return apart(byLogarithm(b), byLogarithm(a))
  }
  return byFraction(a) === byFraction(b) ? byRank(a, b) : apart(byFraction(a), byFraction(b))
}

const apart = (a: number, b: number): number =>
  Math.abs(a - b) <= 1e-12 * Math.max(a, b) ? 0 : a - b

/** The first unit of a bid is worth more than any second one: weight x log(1 / 0). */
const byLogarithm = ({ part, held }: Step): number => part.weight * Math.log1p(1 / held)

const byFraction = ({ part, held }: Step): number => held / (part.weight * part.cap)

const byRank = ({ part: a }: Step, { part: b }: Step): number =>
  a.weight === b.weight ? (a.id < b.id ? -1 : a.id > b.id ? 1 : 0) : b.weight - a.weight
