import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../test/each.ts'
import { projectLimitRange } from './limit-range.ts'

const metadata = { name: 'bounds', namespace: 'shop' }

void describe('apis/limit-range', () => {
  each(
    [
      {
        name: 'of what bounds CPU and memory, the CPU is kept',
        limits: [
          {
            type: 'Container',
            max: { cpu: '2', memory: '1Gi' },
            min: { cpu: '50m' },
            default: { cpu: '1' },
            maxLimitRequestRatio: { cpu: '4' },
          },
          { type: 'Pod', max: { cpu: '4' }, min: { memory: '1Mi' } },
        ],
        keeps: [
          {
            type: 'Container',
            max: { cpu: '2' },
            min: { cpu: '50m' },
            maxLimitRequestRatio: { cpu: '4' },
            default: { cpu: '1' },
          },
          { type: 'Pod', max: { cpu: '4' } },
        ],
      },
      {
        name: 'of what bounds storage, nothing is',
        limits: [{ type: 'PersistentVolumeClaim', max: { storage: '1Gi' } }],
        keeps: [],
      },
      { name: 'without bounds there is nothing to keep', limits: undefined, keeps: [] },
    ],
    ({ limits, keeps }) => {
      const spec = limits === undefined ? {} : { limits }
      const given = { metadata: { ...metadata, uid: 'u1', labels: { a: 'b' } }, spec }
      const kept = projectLimitRange(given)
      assert.deepEqual(kept, { metadata, spec: { limits: keeps } })
      assert.deepEqual(projectLimitRange(kept), kept)
    },
  )
})
