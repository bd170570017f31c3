import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import { cpu, podWith } from '../../../test/resizes.ts'
import type { Millicores } from '../units.ts'
import { clampToBound, violationOf } from './bounds.ts'
import { gridOf } from './quantise.ts'
import type { CpuBound } from './types.ts'

const grid = gridOf({ limitStep: 10 as Millicores, isGuaranteed: false })

type Limits = { min?: number; max?: number; maxRatio?: number }

const bound = (of: CpuBound['of'], { min, max, maxRatio }: Limits): CpuBound => ({
  limitRange: 'cpu',
  of,
  min: min as Millicores | undefined,
  max: max as Millicores | undefined,
  maxRatio,
})

void describe('core/resize/bounds: a wish within a LimitRange', () => {
  each(
    [
      {
        name: 'a maximum cuts what is above',
        spec: [cpu('a', 100, 100)],
        wish: [cpu('a', 300, 500)],
        by: bound('Container', { max: 200 }),
        gives: [cpu('a', 200, 200)],
      },
      {
        name: 'between two steps of the grid the lower one counts',
        spec: [cpu('a', 100, 100)],
        wish: [cpu('a', 100, 500)],
        by: bound('Container', { max: 205 }),
        gives: [cpu('a', 100, 200)],
      },
      {
        name: 'but nothing falls for the sake of the grid',
        spec: [cpu('a', 100, 205)],
        wish: [cpu('a', 100, 500)],
        by: bound('Container', { max: 205 }),
        gives: [cpu('a', 100, 205)],
      },
      {
        name: 'what is above a new maximum comes down to it',
        spec: [cpu('a', 100, 900)],
        wish: [cpu('a', 100, 1000)],
        by: bound('Container', { max: 205 }),
        gives: [cpu('a', 100, 200)],
      },
      {
        name: 'a minimum lifts what is below',
        spec: [cpu('a', 100, 100)],
        wish: [cpu('a', 10, 20)],
        by: bound('Container', { min: 50 }),
        gives: [cpu('a', 50, 50)],
      },
      {
        name: 'a limit within the ratio of a request that falls holds the request',
        spec: [cpu('a', 400, 800)],
        wish: [cpu('a', 50, 800)],
        by: bound('Container', { maxRatio: 4 }),
        gives: [cpu('a', 200, 800)],
      },
      {
        name: 'a limit that rises beyond the ratio is cut',
        spec: [cpu('a', 100, 200)],
        wish: [cpu('a', undefined, 800)],
        by: bound('Container', { maxRatio: 4 }),
        gives: [cpu('a', undefined, 400)],
      },
      {
        name: 'the raises of a pod share what its maximum leaves',
        spec: [cpu('a', 10, 100), cpu('b', 10, 100)],
        wish: [cpu('a', 10, 200), cpu('b', 10, 300)],
        by: bound('Pod', { max: 350 }),
        gives: [cpu('a', 10, 150), cpu('b', 10, 200)],
      },
      {
        name: 'a request that its limit takes down leaves its part to the others',
        spec: [cpu('a', 100, 100), cpu('b', 100, 200)],
        wish: [cpu('a', 500, 500), cpu('b', 300, 400)],
        by: bound('Pod', { max: 400 }),
        gives: [cpu('a', 160, 160), cpu('b', 240, 240)],
      },
      {
        name: 'the falls of a pod share what its minimum allows',
        spec: [cpu('a', 300, 400), cpu('b', 200, 400)],
        wish: [cpu('a', 100, 400), cpu('b', 100, 400)],
        by: bound('Pod', { min: 350 }),
        gives: [cpu('a', 200, 400), cpu('b', 150, 400)],
      },
      {
        name: 'a pod over its ratio holds requests first, then limits',
        spec: [cpu('a', 100, 200), cpu('b', 100, 200)],
        wish: [cpu('a', 50, 200), cpu('b', 100, 600)],
        by: bound('Pod', { maxRatio: 3 }),
        gives: [cpu('a', 100, 200), cpu('b', 100, 400)],
      },
    ],
    ({ spec, wish, by, gives }) =>
      assert.deepEqual(clampToBound(wish, { pod: podWith(spec), bound: by, grid }), gives),
  )

  each(
    [
      {
        name: 'within',
        after: [cpu('a', 100, 200)],
        by: bound('Container', { min: 50, max: 200, maxRatio: 2 }),
      },
      {
        name: 'above',
        after: [cpu('a', 10, 20), cpu('b', 100, 300)],
        by: bound('Container', { max: 200 }),
        says: 'LimitRange "cpu" wants of each container at most 200m, but b would have a limit of 300m',
      },
      {
        name: 'below',
        after: [cpu('a', 10, 300)],
        by: bound('Container', { min: 50 }),
        says: 'LimitRange "cpu" wants of each container at least 50m, but a would have a request of 10m',
      },
      {
        name: 'the sum',
        after: [cpu('a', 100, 200), cpu('b', 100, 200)],
        by: bound('Pod', { max: 300 }),
        says: 'LimitRange "cpu" wants of the pod at most 300m, but the pod would have a limit of 400m',
      },
      {
        name: 'the ratio',
        after: [cpu('a', 100, 201)],
        by: bound('Container', { maxRatio: 2 }),
        says: 'LimitRange "cpu" wants of each container a limit of at most 2 times the request, but a would have 100m and 201m',
      },
      {
        name: 'a maximum of a container without limit',
        after: [cpu('a', 100)],
        by: bound('Container', { max: 200 }),
        says: 'LimitRange "cpu" wants of each container at most 200m, but a has no limit',
      },
      {
        name: 'a minimum of a container without request',
        after: [cpu('a')],
        by: bound('Container', { min: 20 }),
        says: 'LimitRange "cpu" wants of each container at least 20m, but a has no request',
      },
      {
        name: 'a default that the resize would bring',
        after: [cpu('a', 100)],
        by: { ...bound('Container', {}), defaults: ['limit' as const] },
        says: 'LimitRange "cpu" wants of each container request and limit, but a has no limit, and would be given one for good',
      },
    ],
    ({ after, by, says }: { after: ReturnType<typeof cpu>[]; by: CpuBound; says?: string }) =>
      assert.equal(violationOf(after, [by]), says),
  )
})
