import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { sumWaiting } from './waiting-v2.ts'

/** A kernel whose counters are in milliseconds. */
function kernel() {
  const shows: { some: number | undefined; delay: number | undefined } = { some: 5000, delay: 0 }
  let looks = 0
  const micros = (millis: number | undefined) => (millis === undefined ? undefined : millis * 1000)
  const waited = sumWaiting(
    () => micros(shows.some),
    () => {
      looks += 1
      return micros(shows.delay)
    },
  )
  const pass = (some: number, delay: number) => {
    shows.some = (shows.some ?? 0) + some
    shows.delay = (shows.delay ?? 0) + delay
  }
  const look = () => (waited() ?? NaN) / 1000
  return { shows, waited, pass, look, looks: () => looks }
}

void describe('the waiting of a group of cgroup v2', () => {
  void test('is that of all threads, though pressure counts them as one', () => {
    const { look, pass } = kernel()
    const first = look()
    pass(250, 1625)
    assert.equal(look() - first, 1625)
    pass(250, 1625)
    assert.equal(look() - first, 3250)
  })

  void test('is the pressure where that shows more: of tasks that came and went', () => {
    const { look, pass } = kernel()
    const first = look()
    pass(250, 100)
    assert.equal(look() - first, 250)
  })

  void test('is read from tasks only where somebody waits, and nothing is lost or counted twice', () => {
    const { look, pass, looks } = kernel()
    const first = look()
    for (let at = 0; at < 9; at += 1) {
      pass(2, 10)
      assert.equal(look() - first, 2 * (at + 1))
    }
    assert.equal(looks(), 1)
    pass(2, 10)
    assert.equal(look() - first, 100)
    assert.equal(looks(), 2)
  })

  void test('is the pressure where tasks cannot be seen, and does not jump once they can', () => {
    const { shows, look, pass } = kernel()
    shows.delay = undefined
    const first = look()
    assert.equal(first, 5000)
    shows.some = 5250
    assert.equal(look() - first, 250)
    pass(250, 0)
    assert.equal(look() - first, 500)
    pass(250, 1000)
    assert.equal(look() - first, 1500)
  })

  void test('is that of tasks on a kernel without pressure, and unknown with neither', () => {
    const { shows, waited } = kernel()
    shows.some = undefined
    shows.delay = 7
    assert.equal(waited(), 7000)
    shows.delay = undefined
    assert.equal(waited(), undefined)
  })
})
