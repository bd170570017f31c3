import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import type { Millicores } from '../units.ts'
import { type Course, type Item, step } from './lyapunov.ts'

const item = (id: string, current: number, target: number): Item<Millicores> => ({
  id,
  current: current as Millicores,
  target: target as Millicores,
})
const course = (items: readonly Item<Millicores>[], capacity: number, maxStep: number) => ({
  items,
  capacity: capacity as Millicores,
  maxStep: maxStep as Millicores,
})
const sumOf = (items: readonly Item<Millicores>[]) => items.reduce((sum, x) => sum + x.current, 0)
const atTarget = (items: readonly Item<Millicores>[]) => items.every((x) => x.current === x.target)

/** How many steps it takes until every item is at its target. */
function stepsTaken(from: Course<Millicores>): number {
  let { items } = from
  let steps = 0
  for (; !atTarget(items); steps += 1) items = step({ ...from, items }).next
  return steps
}

/** Any course, some with less capacity than is in use. */
const anyCourse = fc
  .record({
    pairs: fc.array(fc.tuple(fc.nat(100), fc.nat(100)), { maxLength: 6 }),
    spare: fc.nat(60),
    maxStep: fc.integer({ min: 1, max: 120 }),
  })
  .map(({ pairs, spare, maxStep }) => {
    const items = pairs.map(([current, target], i) => item(`pod-${i}`, current, target))
    const targets = items.reduce((sum, { target }) => sum + target, 0)
    return course(items, targets + spare, maxStep)
  })

void describe('core/stability/lyapunov', () => {
  each(
    [
      {
        name: 'an amount rises by the step',
        from: course([item('a', 0, 100)], 100, 30),
        gives: [30],
        left: 3,
      },
      {
        name: 'a rise waits for the fall that makes room',
        from: course([item('a', 100, 40), item('b', 0, 60)], 100, 30),
        gives: [70, 0],
        left: 2,
      },
      {
        name: 'rises share what is free in proportion',
        from: course([item('a', 0, 20), item('b', 0, 10), item('c', 90, 60)], 99, 30),
        gives: [6, 3, 60],
        left: 1,
      },
      {
        name: 'the last unit goes to the larger remaining distance',
        from: course([item('a', 0, 20), item('b', 0, 30), item('c', 99, 0)], 100, 10),
        gives: [0, 1, 89],
        left: 9,
      },
      {
        name: 'and then to the first id',
        from: course([item('b', 0, 30), item('a', 0, 30), item('c', 99, 0)], 100, 10),
        gives: [0, 1, 89],
        left: 9,
      },
      {
        name: 'after capacity shrank, nothing rises until the rest fits',
        from: course([item('a', 90, 40), item('b', 0, 40)], 80, 10),
        gives: [80, 0],
        left: 5,
      },
      {
        name: 'who has arrived stays',
        from: course([item('a', 5, 5)], 9, 1),
        gives: [5],
        left: 0,
      },
      { name: 'nobody moves nowhere', from: course([], 0, 1), gives: [], left: 0 },
    ],
    ({ from, gives, left }) => {
      const { next } = step(from)
      assert.deepEqual(
        next.map(({ current }) => current),
        gives,
      )
      assert.equal(stepsTaken({ ...from, items: next }), left)
    },
  )

  void test('V is reported before and after, and falls at every step until it is 0', () => {
    const { before, after } = step(course([item('a', 0, 100)], 100, 30))
    assert.deepEqual([before, after], [10_000, 4900])
    fc.assert(
      fc.property(anyCourse, (from) => {
        const { next, before, after } = step(from)
        if (atTarget(from.items)) assert.deepEqual([before, after], [0, 0])
        else assert.ok(after < before)
        assert.equal(after, step({ ...from, items: next }).before)
      }),
    )
  })

  void test('no amount moves by more than the step, away from its target or across it', () => {
    fc.assert(
      fc.property(anyCourse, (from) => {
        for (const [i, { id, current, target }] of step(from).next.entries()) {
          const was = from.items[i] ?? item('', NaN, NaN)
          assert.deepEqual([id, target], [was.id, was.target])
          assert.ok(Number.isSafeInteger(current))
          assert.ok(Math.abs(current - was.current) <= from.maxStep)
          const [low, high] = [Math.min(was.current, target), Math.max(was.current, target)]
          assert.ok(current >= low && current <= high)
        }
      }),
    )
  })

  void test('in whatever order the moves are applied, the sum stays within capacity', () => {
    const inSomeOrder = anyCourse.chain((from) =>
      fc.record({
        from: fc.constant(from),
        order: fc.shuffledSubarray([...from.items.keys()], { minLength: from.items.length }),
      }),
    )
    fc.assert(
      fc.property(inSomeOrder, ({ from, order }) => {
        const { next } = step(from)
        const applied = [...from.items]
        const limit = Math.max(from.capacity, sumOf(applied))
        for (const i of order) {
          applied[i] = next[i] ?? item('', NaN, NaN)
          assert.ok(sumOf(applied) <= limit)
        }
      }),
    )
  })

  void test('what is free is used: a wish is cut only when nothing is left', () => {
    fc.assert(
      fc.property(anyCourse, (from) => {
        const { next } = step(from)
        let risen = 0
        let cut = false
        for (const [i, { current, target }] of next.entries()) {
          const was = from.items[i]?.current ?? NaN
          risen += Math.max(0, current - was)
          if (current < target && current - was < from.maxStep) cut = true
        }
        const free = Math.max(0, from.capacity - sumOf(from.items))
        if (cut) assert.equal(risen, free)
      }),
    )
  })

  void test('it takes no more steps than the farthest fall and then the farthest rise', () => {
    fc.assert(
      fc.property(anyCourse, (from) => {
        const least = (of: (x: Item<Millicores>) => number) =>
          Math.max(0, ...from.items.map((x) => Math.ceil(of(x) / from.maxStep)))
        const falls = least(({ current, target }) => current - target)
        const rises = least(({ current, target }) => target - current)
        const taken = stepsTaken(from)
        assert.ok(taken >= Math.max(falls, rises) && taken <= falls + rises)
      }),
    )
  })

  void test('the order of the items does not matter', () => {
    const reordered = anyCourse.chain((from) =>
      fc.record({
        from: fc.constant(from),
        items: fc.shuffledSubarray([...from.items], { minLength: from.items.length }),
      }),
    )
    const byId = (from: Course<Millicores>) =>
      new Map(step(from).next.map(({ id, current }) => [id, current]))
    fc.assert(
      fc.property(reordered, ({ from, items }) => {
        assert.deepEqual(byId({ ...from, items }), byId(from))
      }),
    )
  })

  each(
    [
      {
        name: 'a negative target is refused',
        from: course([item('a', 0, -1)], 9, 1),
        says: 'item "a": expected target to be a whole number of 0 or more, got -1',
      },
      {
        name: 'a broken current is refused',
        from: course([item('a', 0.5, 1)], 9, 1),
        says: 'item "a": expected current to be a whole number of 0 or more, got 0.5',
      },
      {
        name: 'targets above the capacity are refused',
        from: course([item('a', 0, 5), item('b', 0, 5)], 9, 1),
        says: 'expected targets to sum to at most the capacity of 9, got 10',
      },
      {
        name: 'a step of nothing is refused',
        from: course([], 9, 0),
        says: 'expected maxStep to be a whole number of 1 or more, got 0',
      },
      {
        name: 'a capacity that is no number is refused',
        from: course([], NaN, 1),
        says: 'expected capacity to be a whole number of 0 or more, got NaN',
      },
      {
        name: 'an id given twice is refused',
        from: course([item('a', 0, 1), item('a', 0, 1)], 9, 1),
        says: 'item "a": expected ids to differ, got it twice',
      },
    ],
    ({ from, says }) => {
      const message = `stepping towards the target: ${says}`
      assert.throws(() => step(from), { name: 'RangeError', message })
    },
  )

  void test('amounts of bytes are shared to the last one', () => {
    const far = 2 ** 50 + 1
    const items = [item('a', 0, far), item('b', 0, far), item('c', far, 0)]
    const { next } = step(course(items, 2 * far, far))
    assert.deepEqual(
      next.map(({ current }) => current),
      [2 ** 49 + 1, 2 ** 49, 0],
    )
  })
})
