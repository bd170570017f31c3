import assert from 'node:assert/strict'

import { each } from '../../../test/each.ts'
import { cpuSettings } from './cpu-settings.ts'

each(
  [
    { name: 'request and limit', request: '250m', limit: '500m', gives: [256, 50_000] },
    { name: 'no limit', request: '1', limit: undefined, gives: [1024, null] },
    { name: 'nothing asked', request: undefined, limit: undefined, gives: [2, null] },
    { name: 'the least', request: '1m', limit: '1m', gives: [2, 1000] },
    {
      name: 'a limit alone is the request too',
      request: undefined,
      limit: '500m',
      gives: [512, 50_000],
    },
    { name: 'the most shares', request: '1000', limit: undefined, gives: [262_144, null] },
  ],
  ({ request, limit, gives }) => {
    const { shares, quotaMicros, periodMicros } = cpuSettings({
      ...(request !== undefined && { requests: { cpu: request } }),
      ...(limit !== undefined && { limits: { cpu: limit } }),
    })
    assert.deepEqual([shares, quotaMicros, periodMicros], [...gives, 100_000])
  },
)
