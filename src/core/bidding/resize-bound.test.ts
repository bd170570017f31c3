import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { millicores, millis } from '../units.ts'
import { boundResize, type PendingResize, type Refusal } from './resize-bound.ts'

const pending = (given: Partial<PendingResize> = {}): PendingResize => ({
  state: 'Deferred',
  message: 'no room',
  mark: '7',
  since: millis(0),
  actuated: { request: millicores(100), limit: millicores(500) },
  ...given,
})

const after = (seconds: number, said?: PendingResize, before?: Refusal, circumstances = 'these') =>
  boundResize(before, { at: millis(seconds * 1000), pending: said, circumstances })

void describe('a resize that is deferred', () => {
  each(
    [
      { name: 'binds nothing for half a minute', seconds: 29, limit: undefined },
      { name: 'then binds to what the pod has and a twentieth', seconds: 30, limit: 525 },
      { name: 'for three minutes', seconds: 209, limit: 525 },
      { name: 'after which all is asked for again', seconds: 210, limit: undefined },
      { name: 'for half a minute', seconds: 240, limit: 525 },
      { name: 'and nothing by a clock that stepped back', seconds: -60, limit: undefined },
    ],
    ({ seconds, limit }) => assert.equal(after(seconds, pending()).bound?.limit, limit),
  )

  void test('binds what is promised too, and says why', () => {
    assert.deepEqual(after(40, pending()).bound, {
      request: 105,
      limit: 525,
      reason: 'requests no more than 105m: the kubelet has deferred its resize for 40 s: no room',
    })
  })

  void test('and no longer is, binds nothing', () => {
    assert.equal(after(60).bound, undefined)
  })
})

void describe('a resize that is infeasible', () => {
  const infeasible = pending({ state: 'Infeasible', message: 'never' })

  void test('binds at once, to what the pod has, and says why', () => {
    assert.deepEqual(after(0, infeasible).bound, {
      request: 100,
      limit: 500,
      reason:
        'requests no more than the 100m that it has: the kubelet calls its resize infeasible: never',
    })
  })

  const { refusal } = after(0, infeasible)
  each(
    [
      { name: 'binds when it is no longer asked for', seconds: 300, limit: 500 },
      { name: 'but not for ever', seconds: 600, limit: undefined },
      { name: 'nor under other circumstances', circumstances: 'others', limit: undefined },
      {
        name: 'even while the kubelet still says it of the old resize',
        said: infeasible,
        circumstances: 'others',
        limit: undefined,
      },
      {
        name: 'until it says it of another',
        said: { ...infeasible, mark: '8' },
        circumstances: 'others',
        limit: 500,
      },
      {
        name: 'and is not loosened by one that is deferred meanwhile',
        said: pending({ mark: '8' }),
        seconds: 60,
        limit: 500,
      },
    ],
    ({ seconds = 1, said, circumstances, limit }) =>
      assert.equal(after(seconds, said, refusal, circumstances).bound?.limit, limit),
  )
})
