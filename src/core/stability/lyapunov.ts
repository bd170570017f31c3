import type { Unit } from '../units.ts'
import { shareFree } from './share-free.ts'

/**
 * Lyapunov step control: moves amounts towards fixed targets in steps of bounded size, so that
 * allocations settle and do not swing.
 *
 * Objective: lower V = sum of (current - target)^2 at every step, until it is 0.
 * Constraints: no amount moves by more than `maxStep` or crosses its target. The moves of one step
 * may be applied in any order: at no moment is the sum above capacity, since rises share what was
 * free before the step, and what falls give back is free for the next. When the sum is above
 * capacity to begin with (it shrank), nothing rises until it fits.
 * Complexity: O(n log n) a step; at most ceil(largest fall / maxStep) + ceil(largest rise /
 * maxStep) steps.
 * Reference: A. M. Lyapunov, 1892; J. P. LaSalle, "The stability and control of discrete
 * processes", 1986.
 *
 *   a 0 -> 100, capacity 100, maxStep 30                    ->  a 30, V 10000 to 4900, done in 3 more
 *   a 100 -> 40, b 0 -> 60, capacity 100, maxStep 30        ->  a 70, b 0; done in 2 more
 *   a 0 -> 20, b 0 -> 10, c 90 -> 60, capacity 99, same     ->  a 6, b 3, c 60; done in 1 more
 *
 * Why V falls: no move leads away from a target, so V falls when one amount moves. If some amount
 * is above its target, it falls by 1 or more. If none is but some are below, then
 * sum(current) < sum(target) <= capacity: at least 1 is free, and it is all given out, as far as
 * wished. Each V is whole and not negative, so V reaches 0. Why so soon: after the falls
 * are done, what is free covers all that is left to rise, so that nothing waits any longer.
 */
export type Item<U extends Unit<string>> = {
  readonly id: string
  readonly current: U
  readonly target: U
}

export type Course<U extends Unit<string>> = {
  readonly items: readonly Item<U>[]
  readonly capacity: U
  readonly maxStep: U
}

export type Step<U extends Unit<string>> = {
  /** The items after the step, in the order given. */
  readonly next: readonly Item<U>[]
  /** V before and after: exact up to 2^53, rounded beyond. */
  readonly before: number
  readonly after: number
}

export function step<U extends Unit<string>>(course: Course<U>): Step<U> {
  checkCourse(course)
  const next = move(course)
  return { next, before: distanceSquared(course.items), after: distanceSquared(next) }
}

function move<U extends Unit<string>>(course: Course<U>): Item<U>[] {
  const { items, maxStep } = course
  const wishes = items.map((item) => {
    const distance = riseOf(item)
    return { id: item.id, distance, wish: Math.min(distance, maxStep) }
  })
  const rises = shareFree(freeOf(course), wishes)
  return items.map((item, i) => {
    const fall = Math.min(distanceOf(item) - riseOf(item), maxStep)
    const current = (item.current + (rises[i] ?? 0) - fall) as U
    return { id: item.id, current, target: item.target }
  })
}

const freeOf = <U extends Unit<string>>({ items, capacity }: Course<U>): number =>
  Math.max(0, capacity - items.reduce((sum, { current }) => sum + current, 0))

const riseOf = <U extends Unit<string>>({ current, target }: Item<U>): number =>
  Math.max(0, target - current)

const distanceOf = <U extends Unit<string>>({ current, target }: Item<U>): number =>
  Math.abs(target - current)

const distanceSquared = <U extends Unit<string>>(items: readonly Item<U>[]): number =>
  items.reduce((sum, item) => sum + distanceOf(item) ** 2, 0)

function checkCourse<U extends Unit<string>>({ items, capacity, maxStep }: Course<U>): void {
  const ids = new Set<string>()
  let targets = 0
  for (const { id, current, target } of items) {
    const item = `item ${JSON.stringify(id)}: `
    if (ids.has(id)) throw new RangeError(`${DOING}: ${item}expected ids to differ, got it twice`)
    ids.add(id)
    checkWhole(current, `${item}expected current`)
    checkWhole(target, `${item}expected target`)
    targets += target
  }
  checkWhole(capacity, 'expected capacity')
  if (!Number.isSafeInteger(maxStep) || maxStep < 1) {
    throw new RangeError(
      `${DOING}: expected maxStep to be a whole number of 1 or more, got ${maxStep}`,
    )
  }
  if (targets > capacity) {
    throw new RangeError(
      `${DOING}: expected targets to sum to at most the capacity of ${capacity}, got ${targets}`,
    )
  }
}

const DOING = 'stepping towards the target'

function checkWhole(value: number, expected: string): void {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new RangeError(`${DOING}: ${expected} to be a whole number of 0 or more, got ${value}`)
  }
}
