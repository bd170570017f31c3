import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { parsePressure } from './parse-pressure.ts'
import {
  parseBurst,
  parseCpuMax,
  parseCpuStatV1,
  parseCpuStatV2,
  parsePeriodV1,
  parseQuotaV1,
  parseShares,
  parseUsageV1,
  parseWeight,
} from './parse.ts'

const statV1 =
  'nr_periods 26\nnr_throttled 25\nthrottled_time 1098253700\nnr_bursts 3\nburst_time 20000999\n'
const some = 'some avg10=14.66 avg60=2.99 avg300=0.63 total=2046386\n'
const statV2 =
  'usage_usec 500154\nuser_usec 412903\nsystem_usec 87251\nnr_periods 26\nnr_throttled 25\nthrottled_usec 1098253\n'

void describe('parsing the CPU files of a cgroup', () => {
  const throttling = { periods: 26, throttledPeriods: 25, throttledMicros: 1_098_253 }
  const bursts = { burstPeriods: 3, burstMicros: 20_000 }
  each(
    [
      { name: 'cpu.stat of v1', got: parseCpuStatV1(statV1), gives: { ...throttling, ...bursts } },
      {
        name: 'cpu.stat of v2',
        got: parseCpuStatV2(statV2),
        gives: { usageMicros: 500_154, ...throttling },
      },
      {
        name: 'cpu.stat of v2 with bursts',
        got: parseCpuStatV2(`${statV2}nr_bursts 3\nburst_usec 20000\n`),
        gives: { usageMicros: 500_154, ...throttling, ...bursts },
      },
      { name: 'a burst', got: parseBurst('20000\n'), gives: { burstLimitMicros: 20_000 } },
      { name: 'a kernel without burst', got: parseBurst(undefined), gives: {} },
      {
        name: 'pressure',
        got: parsePressure(`${some}${some.replace('some', 'full')}`),
        gives: 2_046_386,
      },
      {
        name: 'pressure of a kernel that tells only of some',
        got: parsePressure(some),
        gives: 2_046_386,
      },
      { name: 'nanoseconds of usage', got: parseUsageV1('500154379\n'), gives: 500_154 },
      {
        name: 'a year of usage on 64 CPUs',
        got: parseUsageV1('2018304000000000123\n'),
        gives: 2_018_304_000_000_000,
      },
      {
        name: 'a limit of v2',
        got: parseCpuMax('20000 100000\n'),
        gives: { quotaMicros: 20_000, periodMicros: 100_000 },
      },
      {
        name: 'no limit of v2',
        got: parseCpuMax('max 100000\n'),
        gives: { quotaMicros: null, periodMicros: 100_000 },
      },
      { name: 'a limit of v1', got: parseQuotaV1('20000\n'), gives: 20_000 },
      { name: 'no limit of v1', got: parseQuotaV1('-1\n'), gives: null },
      { name: 'a period', got: parsePeriodV1('100000\n'), gives: 100_000 },
      { name: 'shares', got: parseShares('204\n'), gives: 204 },
      { name: 'the weight of an idle group', got: parseWeight('0\n'), gives: 0 },
    ],
    ({ got, gives }) => assert.deepEqual(got, gives),
  )

  each(
    [
      {
        name: 'a field that is missing',
        parse: () => parseCpuStatV2('usage_usec 5\nuser_usec 4\n'),
        says: /^parsing cpu.stat: nr_periods: expected a whole line, got "usage_usec 5/,
      },
      {
        name: 'a field that is no number',
        parse: () => parseCpuStatV1(statV1.replace('26', '-26')),
        says: /^parsing cpu.stat: nr_periods: expected a whole number, got "-26"$/,
      },
      {
        name: 'a field whose name only begins alike',
        parse: () => parseCpuStatV1(statV1.replace('nr_throttled', 'nr_throttled_local')),
        says: /nr_throttled: expected a whole line/,
      },
      {
        name: 'one field too few',
        parse: () => parseCpuMax('max\n'),
        says: /^parsing cpu.max: expected 2 fields, got 1$/,
      },
      {
        name: 'a quota of nothing',
        parse: () => parseQuotaV1('0\n'),
        says: /^parsing cpu.cfs_quota_us: expected a number above 0, got "0"$/,
      },
      {
        name: 'an empty file',
        parse: () => parseUsageV1(''),
        says: /^parsing cpuacct.usage: expected one whole line, got ""$/,
      },
    ],
    ({ parse, says }) => assert.throws(parse, { message: says }),
  )

  const parsers: readonly (readonly [text: string, parse: (text: string) => unknown])[] = [
    // Bursts come last and are left out as a whole on older kernels: cut there, it is such a one.
    [statV1.slice(0, statV1.indexOf('nr_bursts')), parseCpuStatV1],
    [statV2, parseCpuStatV2],
    ['500154379\n', parseUsageV1],
    ['20000 100000\n', parseCpuMax],
    ['max 100000\n', parseCpuMax],
    ['20000\n', parseQuotaV1],
    ['-1\n', parseQuotaV1],
    ['100000\n', parsePeriodV1],
    ['20000\n', parseBurst],
    ['204\n', parseShares],
    ['8\n', parseWeight],
    [some, parsePressure],
  ]
  const refuses = (parse: () => unknown): Error | undefined => {
    try {
      parse()
      return undefined
    } catch (error) {
      return error as Error
    }
  }

  void test('a text cut short anywhere is refused or gives the same values', () => {
    for (const [text, parse] of parsers) {
      let refused = 0
      for (let length = 0; length < text.length; length += 1) {
        const cut = text.slice(0, length)
        if (refuses(() => parse(cut)) === undefined) assert.deepEqual(parse(cut), parse(text))
        else refused += 1
      }
      assert.ok(refused > 1)
    }
  })

  void test('whatever a file says gives finite values of 0 or more, or a refusal in words', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'nr_periods ',
        'nr_throttled ',
        'usage_usec ',
        'throttled_time ',
        'nr_bursts ',
      ),
      fc.constantFrom('max ', '-1', '0', '\n', ' ', 'NaN', 'Infinity', '1e999', '-', '.'),
      fc.bigInt({ min: -(2n ** 65n), max: 2n ** 70n }).map(String),
      fc.string(),
    )
    // Between garbage and truth: a true text of which a part is replaced.
    const spoilt = fc
      .tuple(
        fc.constantFrom(...parsers, [statV1, parseCpuStatV1] as const),
        fc.nat(120),
        fc.nat(20),
        fc.array(piece, { maxLength: 3 }),
      )
      .map(([[text, parse], at, length, pieces]) => ({
        parse,
        text: text.slice(0, at) + pieces.join('') + text.slice(at + length),
      }))
    let parsed = 0
    let refused = 0
    fc.assert(
      fc.property(spoilt, ({ text, parse }) => {
        const refusal = refuses(() => parse(text))
        if (refusal !== undefined) {
          refused += 1
          assert.match(refusal.message, /^parsing .+: expected .+, got /s)
          return
        }
        parsed += 1
        const value = parse(text)
        const values: unknown[] =
          typeof value === 'object' && value !== null ? Object.values(value) : [value]
        const sane = (v: unknown) => v === null || (Number.isFinite(v) && Number(v) >= 0)
        assert.ok(values.every(sane), text)
      }),
      { numRuns: 3000 },
    )
    assert.ok(parsed > 100 && refused > 1000, `${parsed} parsed, ${refused} refused`)
  })
})
