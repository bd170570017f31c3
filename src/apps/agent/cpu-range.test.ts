import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import type { Limit } from '../../apis/limit-range.ts'
import { rangeOf } from './cpu-range.ts'

type Given = { readonly max?: string; readonly min?: string; readonly ratio?: string }

const bounds = (type: string, { max, min, ratio }: Given): Limit => ({
  type,
  ...(max !== undefined && { max: { cpu: max } }),
  ...(min !== undefined && { min: { cpu: min } }),
  ...(ratio !== undefined && { maxLimitRequestRatio: { cpu: ratio } }),
})

const free = { pod: undefined, container: undefined, least: 0, limitRatio: undefined }

void describe('what LimitRanges let a pod of two containers have', () => {
  each(
    [
      { name: 'without any, all', ranges: [], gives: undefined },
      {
        name: 'of storage only, all',
        ranges: [[bounds('PersistentVolumeClaim', {})]],
        gives: undefined,
      },
      {
        name: 'bounds of pods and of containers',
        ranges: [[bounds('Container', { max: '1', min: '50m' }), bounds('Pod', { max: '3' })]],
        gives: { ...free, pod: 3000, container: 1000, least: 50 },
      },
      {
        name: 'what the pod must ask for, in equal parts',
        ranges: [[bounds('Container', { min: '50m' }), bounds('Pod', { min: '301m' })]],
        gives: { ...free, least: 151 },
      },
      {
        name: 'unless its containers must ask for more',
        ranges: [[bounds('Container', { min: '200m' }), bounds('Pod', { min: '300m' })]],
        gives: { ...free, least: 200 },
      },
      {
        name: 'of several the narrowest',
        ranges: [
          [bounds('Container', { max: '2', min: '10m' })],
          [bounds('Container', { max: '500m' })],
          [bounds('Container', { max: '1', min: '20m' })],
        ],
        gives: { ...free, container: 500, least: 20 },
      },
      {
        name: 'so much limit for a request, of pods as of containers',
        ranges: [[bounds('Container', { ratio: '4' })], [bounds('Pod', { ratio: '2500m' })]],
        gives: { ...free, limitRatio: 2.5 },
      },
    ],
    ({ ranges, gives }) => {
      const all = ranges.map((limits) => ({ metadata: {}, spec: { limits } }))
      assert.deepEqual(rangeOf(all, 2), gives)
    },
  )
})
