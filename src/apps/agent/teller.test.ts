import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { pod } from '../../../test/node-pods.ts'
import { planNode } from '../../core/bidding/plan.ts'
import { publicationRules } from '../../core/demand/publication.ts'
import { millicores, type Millis } from '../../core/units.ts'
import { chargeOf } from './charge.ts'
import type { Publisher } from './publisher.ts'
import { createTeller } from './teller.ts'

const HOUR = 3_600_000

void describe('telling out of turn', () => {
  each(
    [
      { name: 'goes on when the wall clock is set back by an hour', step: -HOUR },
      { name: 'is paced when it is set on by an hour', step: HOUR },
    ],
    async ({ step }) => {
      const clock = manualClock()
      let by = 0
      const publisher: Partial<Publisher> = { publish: async () => 'written', isAway: () => false }
      const teller = createTeller({
        publisher: publisher as Publisher,
        clock: { now: clock.now, wall: () => (clock.wall() + by) as Millis },
        rules: publicationRules,
        paceMillis: 2000,
        onTold: () => undefined,
      })
      const [decision] = planNode({ allocatable: millicores(4000) }, [pod()]).decisions
      assert.ok(decision !== undefined)
      const charge = chargeOf(decision, clock.now())
      const told = { decision, startedAt: clock.now(), makeRoom: () => undefined }
      const { signal } = new AbortController()
      await clock.advance(5000)
      assert.equal(await teller.outOfTurn(charge, told, signal), 'written')
      by = step
      await clock.advance(1999)
      assert.equal(await teller.outOfTurn(charge, told, signal), 'paced')
      assert.equal(teller.isRecent(charge), true)
      await clock.advance(1)
      assert.equal(await teller.outOfTurn(charge, told, signal), 'written')
      await clock.advance(publicationRules.dwellMillis)
      assert.equal(teller.isRecent(charge), false)
    },
  )
})
