import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../test/each.ts'
import { projectNamespace } from './namespace.ts'

void describe('apis/namespace', () => {
  each(
    [
      {
        name: 'what is ours is kept, as label and as annotation',
        given: {
          uid: 'u1',
          labels: { 'kubernetes.io/metadata.name': 'shop', 'mbcas.io/managed': 'false' },
          annotations: { 'mbcas.io/max-cpu': '2', 'scheduler.io/mbcas.io/x': 'y' },
        },
        keeps: {
          labels: { 'mbcas.io/managed': 'false' },
          annotations: { 'mbcas.io/max-cpu': '2' },
        },
      },
      {
        name: 'where nothing is ours, the name is all there is',
        given: { labels: { team: 'a' } },
        keeps: {},
      },
    ],
    ({ given, keeps }) => {
      const kept = projectNamespace({ metadata: { name: 'shop', ...given } })
      assert.deepEqual(kept, { metadata: { name: 'shop', ...keeps } })
      assert.deepEqual(projectNamespace(kept), kept)
    },
  )
})
