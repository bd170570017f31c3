import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../test/each.ts'
import { count, cpu, latency, money, ratio, whole } from './format.ts'

void describe('figures in words', () => {
  each(
    [
      { name: 'CPU is millicores', got: cpu(430), is: '430m' },
      { name: 'part of a millicore is rounded', got: cpu(429.6), is: '430m' },
      { name: 'nearly ten cores are still millicores', got: cpu(9999), is: '9999m' },
      { name: 'ten cores are cores', got: cpu(10_000), is: '10.0 cores' },
      { name: 'a thousand cores are grouped', got: cpu(4_000_000), is: '4,000 cores' },
      { name: 'no CPU is not the same as not known', got: cpu(0), is: '0m' },
      { name: 'what is null is not known', got: cpu(null), is: '–' },
      { name: 'what is undefined is not known', got: cpu(undefined), is: '–' },
      { name: 'infinity is not known', got: money(Infinity), is: '–' },
      { name: 'a small ratio has a decimal', got: ratio(0.034), is: '3.4 %' },
      { name: 'a large ratio has none', got: ratio(0.5), is: '50 %' },
      { name: 'a ratio that rounds to ten has none', got: ratio(0.0996), is: '10 %' },
      { name: 'nothing is 0 %', got: ratio(0), is: '0 %' },
      { name: 'a price has three figures', got: money(0.0012345), is: '0.00123' },
      { name: 'a high price is whole', got: money(12_345.6), is: '12,346' },
      { name: 'a short latency has a decimal', got: latency(4.23), is: '4.2 ms' },
      { name: 'a latency is milliseconds', got: latency(250.4), is: '250 ms' },
      { name: 'a long latency is seconds', got: latency(1250), is: '1.25 s' },
      { name: 'counts are grouped', got: whole(10_000), is: '10,000' },
      { name: 'one is singular', got: count(1, 'pod'), is: '1 pod' },
      { name: 'many are plural', got: count(1200, 'pod'), is: '1,200 pods' },
    ],
    ({ got, is }) => assert.equal(got, is),
  )
})
