import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../test/each.ts'
import { registry } from './metrics.ts'

type Sample = {
  readonly name: string
  readonly labels: Record<string, string>
  readonly value: number
}
type Parsed = {
  readonly help: Map<string, string>
  readonly types: Map<string, string>
  readonly samples: Sample[]
}

/** The text format read character by character, from its description and not from our writer. */
function parseMetrics(text: string): Parsed {
  const parsed: Parsed = { help: new Map(), types: new Map(), samples: [] }
  assert.ok(text === '' || text.endsWith('\n'))
  for (const line of text.split('\n').slice(0, -1)) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? []
    if (kind === 'HELP') parsed.help.set(name, unescaped(rest))
    else if (kind === 'TYPE') parsed.types.set(name, rest)
    else parsed.samples.push(parseSample(line))
  }
  return parsed
}

function parseSample(line: string): Sample {
  const labels: Record<string, string> = {}
  let at = line.search(/[{ ]/)
  const name = line.slice(0, at)
  if (line[at] === '{') {
    at += 1
    while (line[at] !== '}') {
      const equals = line.indexOf('=', at)
      let end = equals + 2
      while (line[end] !== '"') end += line[end] === '\\' ? 2 : 1
      labels[line.slice(at, equals)] = unescaped(line.slice(equals + 2, end))
      at = line[end + 1] === ',' ? end + 2 : end + 1
    }
    at += 1
  }
  assert.equal(line[at], ' ', line)
  const number = line.slice(at + 1)
  const infinities: Readonly<Record<string, number>> = { '+Inf': Infinity, '-Inf': -Infinity }
  return { name, labels, value: infinities[number] ?? Number(number) }
}

const unescaped = (text: string) =>
  text.replaceAll(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char))

const awkward = fc.constantFrom('"', '\\', '\n', '\r', '{', '}', ',', '=', ' ', 'n', 'é', '😀')
const anyNumber = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(Infinity, -Infinity, NaN, -0))

void describe('runtime/metrics', () => {
  void test('a page as Prometheus reads it', () => {
    const metrics = registry()
    metrics.counter('mbcas_cycles_total', 'Cycles.').inc()
    const resizes = metrics.counter('mbcas_resize_total', 'Resizes by result.', ['result'])
    resizes.with({ result: 'applied' }).inc(2)
    metrics.gauge('mbcas_price', 'Of one millicore.').set(0.005)
    const seconds = metrics.histogram('mbcas_seconds', 'Time.', {
      buckets: [0.1, 1],
      labels: ['x'],
    })
    for (const value of [0.05, 0.1, 0.5, 9]) seconds.with({ x: 'y' }).observe(value)
    assert.equal(
      metrics.render(),
      [
        '# HELP mbcas_cycles_total Cycles.',
        '# TYPE mbcas_cycles_total counter',
        'mbcas_cycles_total 1',
        '# HELP mbcas_resize_total Resizes by result.',
        '# TYPE mbcas_resize_total counter',
        'mbcas_resize_total{result="applied"} 2',
        '# HELP mbcas_price Of one millicore.',
        '# TYPE mbcas_price gauge',
        'mbcas_price 0.005',
        '# HELP mbcas_seconds Time.',
        '# TYPE mbcas_seconds histogram',
        'mbcas_seconds_bucket{x="y",le="0.1"} 2',
        'mbcas_seconds_bucket{x="y",le="1"} 3',
        'mbcas_seconds_bucket{x="y",le="+Inf"} 4',
        'mbcas_seconds_sum{x="y"} 9.65',
        'mbcas_seconds_count{x="y"} 4',
        '',
      ].join('\n'),
    )
  })

  void test('before use only counters without labels have a value', () => {
    const metrics = registry()
    metrics.counter('a_total', 'A')
    metrics.counter('b_total', 'B', ['x'])
    metrics.gauge('c', 'C')
    metrics.gauge('d', 'D', ['x']).with({ x: 'y' })
    metrics.histogram('e', 'E', { buckets: [1] })
    assert.deepEqual(parseMetrics(metrics.render()).samples, [
      { name: 'a_total', labels: {}, value: 0 },
    ])
  })

  void test('a removed series is gone, its neighbours stay, and it starts anew', () => {
    const metrics = registry()
    const gauge = metrics.gauge('g', 'G', ['namespace', 'pod'])
    for (const pod of ['a', 'b']) gauge.with({ namespace: 'n', pod }).set(1)
    gauge.remove({ namespace: 'n', pod: 'a' })
    gauge.remove({ namespace: 'n', pod: 'never' })
    gauge.remove({ namespace: 'never', pod: 'a' })
    const pods = () => parseMetrics(metrics.render()).samples.map(({ labels }) => labels['pod'])
    assert.deepEqual(pods(), ['b'])
    gauge.remove({ namespace: 'n', pod: 'b' })
    gauge.with({ namespace: 'n', pod: 'a' }).set(2)
    assert.deepEqual(pods(), ['a'])
  })

  void test('a law: any help, labels and values come back from the page', () => {
    const set = fc.tuple(fc.string({ unit: awkward }), fc.string(), anyNumber)
    fc.assert(
      fc.property(fc.string(), fc.array(set, { maxLength: 20 }), (help, sets) => {
        const metrics = registry()
        const gauge = metrics.gauge('g', help, ['a', 'b'])
        const expected = new Map<string, Sample>()
        for (const [a, b, value] of sets) {
          gauge.with({ b, a }).set(value)
          expected.set(JSON.stringify([a, b]), { name: 'g', labels: { a, b }, value })
        }
        const { samples, help: helps, types } = parseMetrics(metrics.render())
        assert.equal(helps.get('g'), help)
        assert.equal(types.get('g'), 'gauge')
        // -0 is written as 0.
        const sameZero = (list: Iterable<Sample>) =>
          [...list].map(({ name, labels, value }) => [name, labels, value === 0 ? 0 : value])
        assert.deepEqual(sameZero(samples), sameZero(expected.values()))
      }),
    )
  })

  void test('a law: buckets count what is at or below them, and the last counts all', () => {
    const buckets = fc.uniqueArray(fc.integer({ min: -50, max: 50 }), {
      minLength: 1,
      maxLength: 12,
    })
    fc.assert(
      fc.property(
        buckets,
        fc.array(fc.integer({ min: -60, max: 60 }), { minLength: 1 }),
        (any, values) => {
          const metrics = registry()
          const bounds = any.toSorted((a, b) => a - b)
          const histogram = metrics.histogram('h', 'H', { buckets: bounds })
          for (const value of values) histogram.observe(value)
          const { samples } = parseMetrics(metrics.render())
          const found = samples.map(({ name, labels, value }) => [name, labels['le'], value])
          const upTo = (bound: number) => values.filter((value) => value <= bound).length
          assert.deepEqual(found, [
            ...bounds.map((bound) => ['h_bucket', String(bound), upTo(bound)]),
            ['h_bucket', '+Inf', values.length],
            ['h_sum', undefined, values.reduce((a, b) => a + b)],
            ['h_count', undefined, values.length],
          ])
        },
      ),
    )
  })

  each(
    [
      { name: 'a name with a dash', declare: () => registry().gauge('a-b', '') },
      { name: 'a name that starts with a digit', declare: () => registry().gauge('1a', '') },
      { name: 'a label with a dot', declare: () => registry().gauge('a', '', ['b.c']) },
      { name: 'a reserved label', declare: () => registry().gauge('a', '', ['__b']) },
      { name: 'a label twice', declare: () => registry().gauge('a', '', ['b', 'b']) },
      {
        name: 'le on a histogram',
        declare: () => registry().histogram('a', '', { buckets: [1], labels: ['le'] }),
      },
      { name: 'no buckets', declare: () => registry().histogram('a', '', { buckets: [] }) },
      {
        name: 'falling buckets',
        declare: () => registry().histogram('a', '', { buckets: [2, 1] }),
      },
      {
        name: 'infinite buckets',
        declare: () => registry().histogram('a', '', { buckets: [1, Infinity] }),
      },
      {
        name: 'a name twice',
        declare: () => {
          const metrics = registry()
          metrics.gauge('a', '')
          metrics.counter('a', '')
        },
      },
      {
        name: 'a name that a histogram writes',
        declare: () => {
          const metrics = registry()
          metrics.counter('a_count', '')
          metrics.histogram('a', '', { buckets: [1] })
        },
      },
    ].map(({ name, declare }) => ({ name: `refused: ${name}`, declare })),
    ({ declare }) => assert.throws(declare, /^Error: declaring metric "/),
  )

  void test('a counter never goes down', () => {
    const counter = registry().counter('a_total', '')
    assert.throws(() => counter.inc(-1), /a_total: expected an increase of 0 or more, got -1/)
    assert.throws(() => counter.inc(NaN), RangeError)
  })
})
