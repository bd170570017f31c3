import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { container, pod, type PodGiven } from '../../../test/node-pods.ts'
import { millicores } from '../units.ts'
import { cede } from './cede.ts'

const own = (entitled: number, priorityMultiplier: number, more: PodGiven = {}, i = 0) => ({
  pod: pod({
    uid: `${i}`,
    containers: [container({ request: millicores(entitled) })],
    wishes: { priorityMultiplier },
    ...more,
  }),
  entitled: millicores(entitled),
})

type Row = {
  readonly name: string
  readonly all: ReturnType<typeof own>[]
  readonly gives: number[]
}

void describe('what owners give up by their multipliers', () => {
  each<Row>(
    [
      {
        name: 'goes to the other of the namespace',
        all: [own(2000, 0.2), own(500, 1, {}, 1)],
        gives: [400, 2100],
      },
      {
        name: 'is shared by requests and multipliers',
        all: [own(2000, 0.2), own(500, 1, {}, 1), own(500, 3, {}, 2)],
        gives: [400, 900, 1700],
      },
      {
        name: 'stays where nobody counts in full',
        all: [own(2000, 0.2), own(500, 0.5, {}, 1)],
        gives: [2000, 500],
      },
      {
        name: 'never goes to another namespace',
        all: [own(2000, 0.2), own(500, 4, { namespace: 'other' }, 1)],
        gives: [2000, 500],
      },
      {
        name: 'is nothing of a pod that somebody waits for',
        all: [own(2000, 0.2, { readyCores: 0.5 }), own(500, 1, {}, 1)],
        gives: [2000, 500],
      },
      {
        name: 'leaves a floor that its owner set',
        all: [
          own(2000, 0.2, { wishes: { priorityMultiplier: 0.2, minCpu: millicores(1500) } }),
          own(500, 1, {}, 1),
        ],
        gives: [1500, 1000],
      },
    ],
    ({ all, gives }) => assert.deepEqual(cede(all), gives),
  )

  void test('no namespace has more for it, and who counts in full has no less', () => {
    const member = fc.record({
      entitled: fc.integer({ min: 0, max: 8000 }),
      multiplier: fc.constantFrom(0.1, 0.5, 1, 2, 10),
      namespace: fc.constantFrom('a', 'b'),
    })
    fc.assert(
      fc.property(fc.array(member, { maxLength: 8 }), (members) => {
        const all = members.map(({ entitled, multiplier, namespace }, i) =>
          own(entitled, multiplier, { namespace }, i),
        )
        const secured = cede(all)
        for (const namespace of ['a', 'b']) {
          const sumIn = (amounts: readonly number[]): number =>
            amounts.reduce(
              (sum, one, i) => (members[i]?.namespace === namespace ? sum + one : sum),
              0,
            )
          const before = sumIn(all.map(({ entitled }) => entitled))
          assert.ok(sumIn(secured) <= before && sumIn(secured) >= before - members.length)
        }
        members.forEach(({ multiplier, entitled }, i) => {
          if (multiplier >= 1) assert.ok((secured[i] ?? 0) >= entitled)
        })
      }),
    )
  })
})
