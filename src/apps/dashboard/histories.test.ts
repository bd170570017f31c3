import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { standing, tile } from '../../../test/dashboard/standings.ts'
import { createHistories } from './histories.ts'
import { allTime } from './record.ts'

const start = Date.UTC(2026, 0, 1)
const second = 1000

void describe('histories', () => {
  void test('a node that is looked at: seconds first, then coarser, an hour in all', () => {
    const histories = createHistories(second)
    for (let i = 0; i < 4000; i += 1) {
      histories.noteNode(standing({ pods: [{ key: 'a/b', used: i }] }), {
        at: start + i * second,
        isFine: true,
      })
    }
    const now = start + 4000 * second
    const { at, pods } = histories.node('n1', allTime, now)
    const gaps = at.slice(1).map((time, i) => time - (at[i] ?? 0))
    assert.deepEqual(
      [second, 5 * second, 30 * second].map((gap) => gaps.filter((one) => one === gap).length > 50),
      [true, true, true],
    )
    assert.ok(Math.max(...gaps) < 60 * second, 'between two rings at most one slot is left out')
    assert.equal(at.at(-1), now - second)
    assert.ok(now - (at[0] ?? 0) >= 3570 * second, 'an hour, less what is under way')
    assert.equal(at.filter((time) => time >= now - 300 * second).length, 300)
    assert.deepEqual(
      at.toSorted((a, b) => a - b),
      at,
    )
    assert.equal(pods[0]?.used.at(-1), 3999)
    assert.equal(pods[0]?.used.length, at.length)
  })

  void test('a node of the rotation: half-minutes', () => {
    const histories = createHistories(second)
    for (let i = 0; i < 10; i += 1) {
      histories.noteNode(standing({ pods: [{ key: 'a/b', used: i }] }), {
        at: start + i * 30 * second,
        isFine: false,
      })
    }
    const { at, pods } = histories.node('n1', allTime, start + 300 * second)
    assert.deepEqual(
      at,
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => start + i * 30 * second),
    )
    assert.deepEqual(pods, [
      {
        key: 'a/b',
        held: Array.from({ length: 10 }, () => 100),
        used: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      },
    ])
  })

  void test('one that comes to be looked at keeps what was known before', () => {
    const histories = createHistories(second)
    const note = (seconds: number, isFine: boolean) =>
      histories.noteNode(standing({}), { at: start + seconds * second, isFine })
    for (const seconds of [0, 30, 60]) note(seconds, false)
    for (const seconds of [75, 76, 77]) note(seconds, true)
    const { at } = histories.node('n1', allTime, start + 100 * second)
    const seconds = at.map((time) => (time - start) / second)
    assert.deepEqual(seconds, [0, 30, 75, 76, 77])
  })

  void test('one that nobody looks at any more goes on coarsely', () => {
    const histories = createHistories(second)
    const note = (seconds: number, isFine: boolean) =>
      histories.noteNode(standing({}), { at: start + seconds * second, isFine })
    for (const seconds of [0, 1, 2]) note(seconds, true)
    for (const seconds of [30, 60]) note(seconds, false)
    const { at } = histories.node('n1', allTime, start + 100 * second)
    assert.deepEqual(
      at.map((time) => (time - start) / second),
      [0, 1, 2, 30, 60],
    )
  })

  void test('a pod is null where it was not there, and forgotten an hour after it went', () => {
    const histories = createHistories(second)
    const note = (seconds: number, ...keys: string[]) =>
      histories.noteNode(standing({ pods: keys.map((key) => ({ key, used: 5 })) }), {
        at: start + seconds * second,
        isFine: false,
      })
    note(0, 'a/old')
    note(30, 'a/old', 'a/new')
    note(60, 'a/new')
    const usedOf = (now: number) =>
      histories.node('n1', allTime, start + now * second).pods.map(({ key, used }) => [key, used])
    assert.deepEqual(usedOf(90), [
      ['a/new', [null, 5, 5]],
      ['a/old', [5, 5, null]],
    ])
    note(4000, 'a/new')
    assert.deepEqual(usedOf(4030), [['a/new', [5]]])
  })

  void test('what is asked for is bounded by a range', () => {
    const histories = createHistories(second)
    for (let i = 0; i < 5; i += 1) histories.noteCluster(totals(i), start + i * second)
    const range = { from: start + second, to: start + 3 * second }
    assert.deepEqual(histories.cluster(range, start + 10 * second).used, [1, 2, 3])
    assert.deepEqual(histories.cluster(range, start + 10 * second).price, [null, null, null])
  })

  void test('a pod has every column of its own', () => {
    const histories = createHistories(second)
    const row = { key: 'a/b', demand: 1, gets: 2, entitled: 3, request: 4, ceiling: 5, used: 6 }
    const more = { waitedRatio: 0.5, throttledRatio: 0.25, p99Millis: 8 }
    histories.noteNode(standing({ pods: [{ ...row, ...more }] }), { at: start, isFine: true })
    const place = { key: 'a/b', node: 'n1' }
    assert.deepEqual(histories.pod(place, allTime, start + 2 * second), {
      at: [start],
      demand: [1],
      gets: [2],
      entitled: [3],
      request: [4],
      ceiling: [5],
      used: [6],
      waitedRatio: [0.5],
      throttledRatio: [0.25],
      p99Millis: [8],
    })
  })

  void test('what a pod is held to is its ceiling for as long', () => {
    const histories = createHistories(second)
    const pods = [{ key: 'a/b', ceiling: 900, heldTo: 450 }]
    histories.noteNode(standing({ pods }), { at: start, isFine: true })
    const place = { key: 'a/b', node: 'n1' }
    assert.deepEqual(histories.pod(place, allTime, start + 2 * second).ceiling, [450])
  })

  void test('the seconds of a thousand pods are kept, of those that were looked at last', () => {
    const histories = createHistories(second)
    const pods = Array.from({ length: 400 }, (_, i) => ({ key: `a/${i}`, used: 1 }))
    const note = (name: string, at: number) =>
      histories.noteNode(standing({ tile: tile({ name }), pods }), { at, isFine: true })
    for (const [i, name] of ['a', 'b', 'c'].entries()) {
      for (const seconds of [1, 2]) note(name, start + (i * 2 + seconds) * second)
    }
    const points = (name: string) => histories.node(name, allTime, start + 60 * second).at.length
    assert.deepEqual(['a', 'b', 'c'].map(points), [1, 2, 2])
  })
})

const totals = (used: number) => ({
  nodes: 1,
  pods: 1,
  managedPods: 1,
  sufferingPods: 0,
  allocatable: 0,
  capacity: 0,
  sold: 0,
  promised: 0,
  used,
})
