import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import {
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
  'nr_periods 26\nnr_throttled 25\nthrottled_time 1098253700\nnr_bursts 0\nburst_time 0\n'
const statV2 =
  'usage_usec 500154\nuser_usec 412903\nsystem_usec 87251\nnr_periods 26\nnr_throttled 25\nthrottled_usec 1098253\n'

void describe('parsing the CPU files of a cgroup', () => {
  const throttling = { periods: 26, throttledPeriods: 25, throttledMicros: 1_098_253 }
  each(
    [
      { name: 'cpu.stat of v1', got: parseCpuStatV1(statV1), gives: throttling },
      {
        name: 'cpu.stat of v2',
        got: parseCpuStatV2(statV2),
        gives: { usageMicros: 500_154, ...throttling },
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

  void test('a text cut short anywhere is refused or gives the same values', () => {
    const parsers: readonly (readonly [string, (text: string) => unknown])[] = [
      [statV1, parseCpuStatV1],
      [statV2, parseCpuStatV2],
      ['500154379\n', parseUsageV1],
      ['20000 100000\n', parseCpuMax],
      ['max 100000\n', parseCpuMax],
      ['20000\n', parseQuotaV1],
      ['-1\n', parseQuotaV1],
    ]
    let refused = 0
    for (const [text, parse] of parsers) {
      const whole = parse(text)
      for (let length = 0; length < text.length; length += 1) {
        let cut: unknown
        try {
          cut = parse(text.slice(0, length))
        } catch {
          refused += 1
          continue
        }
        assert.deepEqual(cut, whole)
      }
    }
    assert.ok(refused > 100)
  })
})
