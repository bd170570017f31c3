import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { millicores } from '../../../src/core/units.ts'
import { each } from '../../each.ts'
import { hostConfigOf } from './host-config.ts'

void describe('requests as our agent is told them', () => {
  each(
    [
      {
        name: 'stay if they fit beside the reserve',
        requests: [1000, 900],
        floors: ['1000m', '900m'],
      },
      { name: 'are cut alike if they do not', requests: [1000, 1000], floors: ['950m', '950m'] },
    ],
    ({ requests, floors }) => {
      const groups = requests.map((request, i) => ({ path: `g${i}`, request: millicores(request) }))
      const config = hostConfigOf(groups, 2)
      assert.equal(config.reserve, '100m')
      assert.deepEqual(
        config.groups.map(({ floor }) => floor),
        floors,
      )
    },
  )
})
