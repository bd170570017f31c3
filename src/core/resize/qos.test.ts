import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import { cpu, podWith } from '../../../test/resizes.ts'
import type { Millicores } from '../units.ts'
import { keepBurstable, newClassOf } from './qos.ts'
import { gridOf } from './quantise.ts'
import type { PodCpu } from './types.ts'

const grid = gridOf({ limitStep: 10 as Millicores, isGuaranteed: false })
const open = (...spec: PodCpu['spec']) => podWith(spec, { memoryIsGuaranteed: true })

void describe('core/resize/qos', () => {
  each(
    [
      { name: 'Burstable stays', pod: open(cpu('a', 100, 200)), to: [cpu('a', 50, 300)] },
      {
        name: 'Burstable whose request meets its limit',
        pod: open(cpu('a', 100, 200)),
        to: [cpu('a', 200)],
        gives: 'Guaranteed',
      },
      {
        name: 'memory that is not known may be as a Guaranteed pod has it',
        pod: podWith([cpu('a', 100, 200)], { memoryIsGuaranteed: undefined }),
        to: [cpu('a', 200)],
        gives: 'Guaranteed',
      },
      {
        name: 'memory keeps it Burstable',
        pod: podWith([cpu('a', 100, 200)]),
        to: [cpu('a', 200)],
      },
      {
        name: 'as it does where CPU never did',
        pod: open(cpu('a', 200, 200)),
        to: [cpu('a', 300, 300)],
      },
      {
        name: 'one other container keeps it Burstable',
        pod: open(cpu('a', 100, 200), cpu('b', 1, 2)),
        to: [cpu('a', 200)],
      },
      {
        name: 'a container without limit keeps it Burstable',
        pod: open(cpu('a', 100, 200), cpu('b', 1)),
        to: [cpu('a', 200)],
      },
      {
        name: 'Guaranteed moves as one',
        pod: podWith([cpu('a', 100, 100)], { qosClass: 'Guaranteed' }),
        to: [cpu('a', 200, 200)],
      },
      {
        name: 'Guaranteed of two amounts',
        pod: podWith([cpu('a', 100, 100)], { qosClass: 'Guaranteed' }),
        to: [cpu('a', 100, 200)],
        gives: 'Burstable',
      },
      {
        name: 'BestEffort gets something',
        pod: podWith([cpu('a')], { qosClass: 'BestEffort' }),
        to: [cpu('a', 10)],
        gives: 'Burstable',
      },
    ],
    ({ pod, to, gives }: { pod: PodCpu; to: PodCpu['spec']; gives?: string }) =>
      assert.equal(newClassOf(pod, to), gives),
  )

  each(
    [
      {
        name: 'a request rises by a little less',
        pod: open(cpu('a', 100, 100), cpu('b', 50, 100)),
        wish: [cpu('a', 200, 200), cpu('b', 100)],
        gives: [cpu('a', 199, 200), cpu('b', 100)],
      },
      {
        name: 'or a limit falls by a step less',
        pod: open(cpu('a', 100, 300)),
        wish: [cpu('a', undefined, 100)],
        gives: [cpu('a', undefined, 110)],
      },
      {
        name: 'what keeps the class is let be',
        pod: open(cpu('a', 100, 300)),
        wish: [cpu('a', 200, 210)],
        gives: [cpu('a', 200, 210)],
      },
    ],
    ({ pod, wish, gives }) => assert.deepEqual(keepBurstable(pod, { wish, grid }), gives),
  )
})
