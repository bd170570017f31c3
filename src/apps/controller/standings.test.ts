import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { allocationObject } from '../../../test/controller-pods.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { registry } from '../../runtime/metrics.ts'
import { controllerMetrics } from './metrics.ts'
import type { Outcome, Phase } from './outcome.ts'
import { createStandings } from './standings.ts'

const allocation = (name: string) => allocationObject({}, { name })
const outcome = (phase: Phase, reason: Outcome['reason']): Outcome => ({
  phase,
  reason,
  message: '',
  pod: undefined,
  attempted: false,
})
const waits = outcome('Pending', 'NodeHeadroom')
const done = outcome('Applied', 'Applied')

function start() {
  const clock = manualClock()
  const metrics = registry()
  const standings = createStandings(clock, controllerMetrics(metrics))
  const lines = (name: string): string[] =>
    metrics
      .render()
      .split('\n')
      .filter((line) => line.startsWith(name))
  return { clock, standings, lines }
}

void describe('apps/controller: where the allocations stand', () => {
  void test('they are counted where they are, and no longer where they were', () => {
    const { standings, lines } = start()
    assert.equal(standings.note(allocation('a'), waits), true)
    standings.note(allocation('b'), waits)
    assert.equal(standings.note(allocation('b'), waits), false)
    standings.note(allocation('b'), done)
    assert.deepEqual(lines('mbcas_allocations{'), [
      'mbcas_allocations{phase="Pending",reason="NodeHeadroom"} 1',
      'mbcas_allocations{phase="Applied",reason="Applied"} 1',
    ])
    standings.forget('shop/a')
    standings.forget('shop/a')
    assert.equal(standings.reasonOf('shop/a'), undefined)
    assert.equal(lines('mbcas_allocations{')[0]?.at(-1), '0')
  })

  void test('the longest wait for each reason is shown, and gone when it is over', async () => {
    const { clock, standings, lines } = start()
    standings.note(allocation('a'), waits)
    await clock.advance(2000)
    standings.note(allocation('b'), waits)
    standings.note(allocation('c'), done)
    await clock.advance(1000)
    standings.show()
    const name = 'mbcas_allocation_waiting_seconds{'
    assert.deepEqual(lines(name), [`${name}reason="NodeHeadroom"} 3`])
    standings.note(allocation('a'), done)
    standings.show()
    assert.deepEqual(lines(name), [`${name}reason="NodeHeadroom"} 1`])
    standings.forget('shop/b')
    standings.show()
    assert.deepEqual(lines(name), [`${name}reason="NodeHeadroom"} 0`])
  })

  void test('a pod that has yet to get its original values is shown until it has', async () => {
    const { clock, standings, lines } = start()
    standings.noteRestore('shop/a', true)
    await clock.advance(4000)
    standings.noteRestore('shop/a', true)
    standings.noteRestore('shop/b', true)
    standings.show()
    assert.deepEqual(lines('mbcas_restore_'), ['mbcas_restore_waiting_seconds 4'])
    standings.noteRestore('shop/a', false)
    standings.noteRestore('shop/b', false)
    standings.show()
    assert.deepEqual(lines('mbcas_restore_'), ['mbcas_restore_waiting_seconds 0'])
  })

  void test('who waited before a new controller began has waited since then', () => {
    const { clock, standings, lines } = start()
    const lastTransitionTime = new Date(clock.wall() - 90_000).toISOString()
    const conditions = [
      { type: 'Applied', status: 'False', reason: 'NodeHeadroom', message: '', lastTransitionTime },
    ] as const
    const status = { reason: 'NodeHeadroom', conditions }
    standings.note({ ...allocation('a'), status }, waits)
    standings.show()
    assert.match(lines('mbcas_allocation_waiting_seconds{')[0] ?? '', / 90$/)
  })
})
