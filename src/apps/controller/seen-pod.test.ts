import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { notedWith, podObject } from '../../../test/controller-pods.ts'
import { each } from '../../../test/each.ts'
import { keepIn } from '../../../test/keep-in.ts'
import { mostKeptBytes } from '../../apis/keep.ts'
import { seenPodKeep, seePod } from './seen-pod.ts'

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

  void test('one of 100 containers can be read, whatever its owner writes into it', () => {
    const many = Array.from({ length: 1000 }, (_, i) => i)
    const named = (length: number) =>
      Object.fromEntries(many.map((i) => [`mbcas.io/${i}`.padEnd(317, 'x'), 'x'.repeat(length)]))
    const amounts = { cpu: '999999999m', memory: '9999999999Ki' }
    const resources = { requests: amounts, limits: amounts }
    const names = many.slice(0, 100).map((i) => `c${i}`.padEnd(63, 'x'))
    const pod = {
      metadata: {
        annotations: { ...named(256), 'mbcas.io/original-cpu': 'x'.repeat(4096) },
        labels: named(63),
        managedFields: many.map((i) => ({
          manager: `m${i}`.padEnd(128, 'x'),
          subresource: 'resize',
          time: '2026-01-01T00:00:00Z',
          fieldsV1: { 'f:metadata': { 'f:annotations': { 'f:mbcas.io/original-cpu': {} } } },
        })),
        ownerReferences: many.map((i) => ({ name: 'x'.repeat(253), controller: i === 999 })),
      },
      spec: {
        containers: names.map((name) => ({
          name,
          resources,
          resizePolicy: ['cpu', 'memory'].map((resourceName) => ({
            resourceName,
            restartPolicy: 'RestartContainer',
          })),
        })),
      },
      status: {
        conditions: many.map((i) => ({
          type: i < 990 ? `t${i}` : 'Ready',
          message: 'x'.repeat(1024),
        })),
        containerStatuses: names.map((name) => ({
          name,
          containerID: `containerd://${'0'.repeat(64)}`,
          restartCount: 1000,
          resources,
          allocatedResources: amounts,
          state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
        })),
      },
    }
    const kept = keepIn(pod, seenPodKeep) as typeof pod
    assert.equal(kept.spec.containers.length, 100)
    const bytes = JSON.stringify(kept).length
    assert.ok(bytes < mostKeptBytes, `${bytes} bytes`)
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
