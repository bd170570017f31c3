import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { allocationObject } from '../../../test/controller-pods.ts'
import { each } from '../../../test/each.ts'
import type { Millicores } from '../../core/units.ts'
import { desiredCpu } from './desired-cpu.ts'

const has = (name: string, request: number, limit?: number) => ({
  name,
  request: request as Millicores,
  limit: limit as Millicores | undefined,
})
const now = [has('app', 300, 600), has('log', 100), has('proxy', 100, 200)]

void describe('apps/controller: what each container should have', () => {
  each(
    [
      {
        name: 'containers are taken as they are',
        spec: { containers: [{ name: 'app', desiredCPULimit: '1' }] },
        gives: [{ name: 'app', request: undefined, limit: 1000 }],
      },
      {
        name: 'sums are split as the containers share them now, and nothing gets a limit that has none',
        spec: { desiredCPURequest: '1', desiredCPULimit: 2 },
        gives: [has('app', 600, 1500), has('log', 200), has('proxy', 200, 500)],
      },
      {
        name: 'a sum that is not asked for changes nothing',
        spec: { desiredCPULimit: '800m' },
        gives: [
          { name: 'app', request: undefined, limit: 600 },
          { name: 'log', request: undefined, limit: undefined },
          { name: 'proxy', request: undefined, limit: 200 },
        ],
      },
    ],
    ({ spec, gives }) => assert.deepEqual(desiredCpu(allocationObject(spec), now), gives),
  )
})
