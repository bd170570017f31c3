import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { parseLatencies } from './parse.ts'

const series = (pod: string, value: unknown, more = {}) => ({
  metric: { namespace: 'shop', pod, ...more },
  value: [1_794_801_600.781, value],
})
const answer = (result: unknown, resultType: unknown = 'vector'): string =>
  JSON.stringify({ status: 'success', data: { resultType, result } })

void describe("Prometheus' answer", () => {
  each(
    [
      { name: 'is in seconds', result: [series('a', '0.25')], gives: { 'shop/a': 250 } },
      { name: 'may have an exponent', result: [series('a', '1.5e-02')], gives: { 'shop/a': 15 } },
      { name: 'may be zero', result: [series('a', '0')], gives: { 'shop/a': 0 } },
      { name: 'may be empty', result: [], gives: {} },
      { name: 'tells of no requests by NaN', result: [series('a', 'NaN')], gives: {} },
      {
        name: 'counts the slowest of several series of a pod',
        result: [
          series('a', '0.1', { code: '200' }),
          series('a', '0.9', { code: '500' }),
          series('a', '0.2', { code: '404' }),
        ],
        gives: { 'shop/a': 900 },
      },
      { name: 'has no use for +Inf', result: [series('a', '+Inf')], gives: {}, unusable: 1 },
      { name: 'has no use for -Inf', result: [series('a', '-Inf')], gives: {}, unusable: 1 },
      { name: 'has no use for less than 0', result: [series('a', '-1')], gives: {}, unusable: 1 },
      { name: 'has no use for no number', result: [series('a', 'x')], gives: {}, unusable: 1 },
      { name: 'has no use for an empty value', result: [series('a', '')], gives: {}, unusable: 1 },
      { name: 'has no use for a bare number', result: [series('a', 1)], gives: {}, unusable: 1 },
      {
        name: 'keeps the good beside the unusable',
        result: [{ metric: {}, value: [1, '1'] }, { metric: { pod: 'a' } }, null, series('b', '1')],
        gives: { 'shop/b': 1000 },
        unusable: 3,
      },
      {
        name: 'has no use for a native histogram',
        result: [{ metric: { namespace: 'shop', pod: 'a' }, histogram: [1, {}] }],
        gives: {},
        unusable: 1,
      },
    ],
    ({ result, gives, unusable = 0 }) => {
      const { p99Millis, unusable: counted } = parseLatencies(answer(result))
      assert.deepEqual(Object.fromEntries(p99Millis), gives)
      assert.equal(counted, unusable)
    },
  )

  each(
    [
      { name: 'that is a matrix is refused', text: answer([], 'matrix'), says: /got a matrix/ },
      { name: 'that is a scalar is refused', text: answer([1, '1'], 'scalar'), says: /a scalar/ },
      { name: 'without data is refused', text: '{"status":"success"}', says: /without one/ },
      {
        name: 'that is an error is told in its own words',
        text: '{"status":"error","errorType":"bad_data","error":"1:3: parse error"}',
        says: /^Error: bad_data: 1:3: parse error$/,
      },
      { name: 'that is no JSON is shown', text: '<html>login', says: /HTTP API, got <html>login$/ },
      { name: 'that is empty is refused', text: '', says: /got nothing$/ },
      { name: 'that is null is refused', text: 'null', says: /got null$/ },
      { name: 'is shown in part', text: 'x'.repeat(9999), says: /got x{300}\.\.\.$/ },
    ],
    ({ text, says }) => assert.throws(() => parseLatencies(text), says),
  )

  void test('gives finite latencies only, whatever its values are', () => {
    const value = fc.oneof(fc.string(), fc.double().map(String), fc.constantFrom('+Inf', 'NaN', 7))
    fc.assert(
      fc.property(fc.array(value), (values) => {
        const result = values.map((one, i) => series(`p${i}`, one))
        const { p99Millis, unusable } = parseLatencies(answer(result))
        for (const millis of p99Millis.values()) assert.ok(millis >= 0 && Number.isFinite(millis))
        assert.ok(p99Millis.size + unusable <= values.length)
      }),
    )
  })

  void test('never throws anything but an explanation, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        assert.throws(() => parseLatencies(text), /expected .*, got /s)
      }),
    )
  })
})
