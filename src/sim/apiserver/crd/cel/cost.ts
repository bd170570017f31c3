/**
 * What an expression may cost, counted while it runs as the real server counts: one for each step, a tenth
 * for each character or item that a function looks at. Four loops in each other over 400 items are 25
 * billion steps; they end after the first million.
 *
 * The library has no such bound. All its steps go through one method, which is replaced here: it is
 * pinned, and `cost.test.ts` fails when that is no longer so.
 */
import { type ASTNode, Environment } from '@marcbachmann/cel-js'

import { CelFault } from './fault.ts'

/** Of one rule, once (`PerCallLimit`). */
export const MOST_PER_CALL = 1_000_000
/** Of all rules on one object (`RuntimeCELCostBudget`). */
export const MOST_PER_OBJECT = 10_000_000

/** The library makes an error of it with all its circumstances: as long as fifty steps. */
const FAILED_STEP = 50

/** Not caught within an expression, unlike what else goes wrong there. */
export class OverBudget extends CelFault {}

type Scope = unknown
type Evaluator = {
  run: (node: ASTNode, scope: Scope) => unknown
  tryEval: (node: ASTNode, scope: Scope) => unknown
}
type Evaluable = ASTNode & { evaluate: (by: Evaluator, node: ASTNode, scope: Scope) => unknown }

let left = Infinity
/** The value at hand goes to something that looks at all of it. */
let isLookedAt = false

export function spend(cost: number): void {
  left -= cost
  if (left < 0) throw new OverBudget('operation cancelled: actual cost limit exceeded')
}

/** Runs it with at most so much; also tells what it took. */
export function bounded<T>(
  limit: number,
  act: () => T,
): { readonly value: T; readonly cost: number } {
  const before = left
  left = limit
  isLookedAt = false
  try {
    const value = act()
    return { value, cost: limit - left }
  } finally {
    left = before
  }
}

/** They take a list as it is, or go through it by a loop whose steps count for themselves. */
const passing = new Set(
  'size has all exists exists_one existsOne map filter first last optMap optFlatMap hasValue value'.split(
    ' ',
  ),
)
const operators = new Set(['==', '!=', 'in', '+', '<', '<=', '>', '>='])

const looks = ({ op, args }: ASTNode): boolean =>
  op === 'rcall' || op === 'call'
    ? !passing.has(String((args as readonly unknown[])[0]))
    : operators.has(op)

const sizes = new WeakMap<object, number>()

/** Of all that is in it. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  const known = sizes.get(value)
  if (known !== undefined) return known
  let size = 1
  if (Array.isArray(value) || value instanceof Set) for (const item of value) size += sizeOf(item)
  else if (value instanceof Map) for (const item of value.values()) size += sizeOf(item)
  sizes.set(value, size)
  return size
}

function boundAll(): void {
  const captured: { evaluator?: Evaluator } = {}
  const program = new Environment().parse('true')
  const node = program.ast as Evaluable
  node.evaluate = (evaluator) => {
    captured.evaluator = evaluator
    return true
  }
  program()
  const shared = Object.getPrototypeOf(captured.evaluator) as Evaluator
  shared.run = function run(this: Evaluator, one, scope) {
    const wasLookedAt = isLookedAt
    spend(1)
    isLookedAt = looks(one)
    const value = (one as Evaluable).evaluate(this, one, scope)
    isLookedAt = wasLookedAt
    if (wasLookedAt) spend(sizeOf(value) / 10)
    return value
  }
  shared.tryEval = function tryEval(this: Evaluator, one, scope) {
    const wasLookedAt = isLookedAt
    try {
      return this.run(one, scope)
    } catch (error) {
      if (error instanceof OverBudget) throw error
      isLookedAt = wasLookedAt
      spend(FAILED_STEP)
      return error
    }
  }
}

boundAll()
