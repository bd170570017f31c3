import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { notedWith, podObject } from '../../../test/controller-pods.ts'
import { each } from '../../../test/each.ts'
import { seePod } from './seen-pod.ts'

const at = (time: string) => Date.parse(time)

void describe('apps/controller: what is kept of a pod', () => {
  void test('of its words only ours, and its controller', () => {
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-1', uid: 'u2' }
    const { metadata, owner: seen } = seePod(
      podObject({
        metadata: {
          annotations: { 'mbcas.io/mode': 'auto', 'kubectl.kubernetes.io/restartedAt': 'now' },
          labels: { app: 'web', 'mbcas.io/managed': 'true' },
          ownerReferences: [
            { ...owner, name: 'other' },
            { ...owner, controller: true },
          ],
        },
      }),
    )
    assert.deepEqual(metadata.annotations, { 'mbcas.io/mode': 'auto' })
    assert.deepEqual(metadata.labels, { 'mbcas.io/managed': 'true' })
    assert.equal(seen?.name, 'web-1')
  })

  each(
    [
      { name: 'nobody resized it', managedFields: [], is: undefined },
      {
        name: 'the server noted the resize',
        managedFields: [
          { manager: 'kubectl', time: '2026-01-01T00:00:09Z' },
          { manager: 'mbcas-controller', subresource: 'resize', time: '2026-01-01T00:00:05Z' },
        ],
        is: at('2026-01-01T00:00:05Z'),
      },
      {
        name: 'of several resizes the last counts, whoever made it',
        managedFields: [
          { manager: 'kubectl', subresource: 'resize', time: '2026-01-01T00:00:07Z' },
          { manager: 'mbcas-controller', subresource: 'resize', time: '2026-01-01T00:00:05Z' },
        ],
        is: at('2026-01-01T00:00:07Z'),
      },
    ],
    ({ managedFields, is }) =>
      assert.equal(seePod(podObject({ metadata: { managedFields } })).resizedAt, is),
  )

  each(
    [
      { name: 'no original values', text: undefined, is: undefined },
      {
        name: 'original values',
        text: '{"app":{"request":"100m","limit":"1"}}',
        is: [{ name: 'app', request: 100, limit: 1000 }],
      },
      { name: 'a text that says nothing is none', text: 'no', is: undefined },
    ],
    ({ text, is }) => {
      const metadata = text === undefined ? {} : notedWith(text)
      assert.deepEqual(seePod(podObject({ metadata })).original, is)
    },
  )
})
