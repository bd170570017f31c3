import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import * as v from 'valibot'

import { each } from '../../../test/each.ts'
import { fault, type Fault } from '../../apis/fault-file.ts'
import { seededRandom } from '../../core/random.ts'
import { createFaults } from './choose-fault.ts'
import { answerFaults } from './serve-faults.ts'

const planted = (...given: readonly v.InferInput<typeof fault>[]) => {
  const faults = createFaults(seededRandom(1))
  faults.plant(given.map((one): Fault => v.parse(fault, one)))
  return faults
}
const get = { verb: 'get', resource: 'pods', userAgent: 'kubectl/v1.36.3' }

void describe('a planted fault', () => {
  each(
    [
      { name: 'comes to every request', fault: { kind: 'error' }, request: get, comes: true },
      {
        name: 'comes to its verbs only',
        fault: { kind: 'error', verbs: ['list'] },
        request: get,
        comes: false,
      },
      {
        name: 'comes to its resources only',
        fault: { kind: 'error', resources: ['nodes'] },
        request: get,
        comes: false,
      },
      {
        name: 'comes to its clients',
        fault: { kind: 'error', userAgent: 'kubectl/' },
        request: get,
        comes: true,
      },
      {
        name: 'comes to no other clients',
        fault: { kind: 'error', userAgent: 'mbcas/' },
        request: get,
        comes: false,
      },
      {
        name: 'of writes comes to no read',
        fault: { kind: 'conflict' },
        request: get,
        comes: false,
      },
      {
        name: 'of watches comes to no read',
        fault: { kind: 'drop-watch' },
        request: get,
        comes: false,
      },
      {
        name: 'of watches comes to a watch',
        fault: { kind: 'stall-watch' },
        request: { ...get, verb: 'watch' },
        comes: true,
      },
      {
        name: 'with a share of 0 never comes',
        fault: { kind: 'error', share: 0 },
        request: get,
        comes: false,
      },
    ] as const,
    ({ fault, request, comes }) => {
      assert.equal(planted(fault as never).choose(request) !== undefined, comes)
    },
  )

  void test('is over after its times', () => {
    const faults = planted({ kind: 'error', times: 2 })
    assert.deepEqual(
      [1, 2, 3].map(() => faults.choose(get)?.kind),
      ['error', 'error', undefined],
    )
    assert.deepEqual(faults.planted(), [])
    assert.deepEqual(faults.counts(), { error: 2 })
  })

  void test('comes in its share of requests, the same ones for the same seed', () => {
    const draw = () => {
      const faults = planted({ kind: 'error', share: 0.3 })
      return Array.from({ length: 10_000 }, () => faults.choose(get) !== undefined)
    }
    const came = draw()
    assert.deepEqual(came, draw())
    assert.ok(Math.abs(came.filter(Boolean).length - 3000) < 200)
  })
})

void describe('the address of the faults', () => {
  const faults = createFaults(seededRandom(1))
  const ask = (method: string, body?: unknown) => {
    const answer = answerFaults(faults, {
      method,
      path: '/sim/faults',
      headers: {},
      body: JSON.stringify(body),
    })
    assert.ok(answer.kind === 'whole')
    return { status: answer.status, body: answer.body }
  }

  void test('takes faults, shows them, and ends them', () => {
    assert.equal(ask('PUT', { faults: [{ kind: 'slow', delayMillis: 5 }] }).status, 200)
    assert.match(ask('GET').body, /"kind":"slow"/)
    ask('DELETE')
    assert.deepEqual(JSON.parse(ask('GET').body), { faults: [], came: {} })
  })

  void test('refuses what is no fault, and says what it expected', () => {
    const { status, body } = ask('PUT', { faults: [{ kind: 'slw' }] })
    assert.equal(status, 400)
    assert.match(body, /^faults: fault 1: expected kind to be one of error, .* got "slw"\n$/)
    assert.match(
      ask('PUT', { faults: [{ kind: 'slow', shaer: 1 }] }).body,
      /did you mean "share"\?/,
    )
  })
})
