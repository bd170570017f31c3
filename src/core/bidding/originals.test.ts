import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import { container, pod } from '../../../test/node-pods.ts'
import { millicores } from '../units.ts'
import { withOriginalsUpTo } from './originals.ts'
import { requestedBy } from './weights.ts'

void describe('what a pod is said to have had first', () => {
  each(
    [
      { name: 'is what it counts for', first: [300, 200], counts: 500 },
      { name: 'up to what its node has', first: [9000], counts: 4000 },
      { name: 'which its containers have once together', first: [4000, 9000, 4000], counts: 4000 },
      { name: 'where one says nothing its request counts', first: [300, undefined], counts: 310 },
    ],
    ({ first, counts }) => {
      const containers = first.map((amount) =>
        container({
          request: millicores(10),
          firstRequest: amount === undefined ? undefined : millicores(amount),
        }),
      )
      const bounded = withOriginalsUpTo(millicores(4000), pod({ containers }))
      assert.equal(requestedBy(bounded), counts)
    },
  )
})
