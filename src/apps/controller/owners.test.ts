import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { podObject } from '../../../test/controller-pods.ts'
import type { KubeObject, OwnerReference } from '../../apis/object.ts'
import { ApiError, type Kube } from '../../ports/kube.ts'
import { createOwners } from './owners.ts'
import { seePod } from './seen-pod.ts'

const { signal } = new AbortController()
const owner = (kind: string, name: string, apiVersion = 'apps/v1'): OwnerReference => ({
  apiVersion,
  kind,
  name,
  uid: `uid-${name}`,
  controller: true,
})
const podOf = (...ownerReferences: OwnerReference[]) =>
  seePod(podObject({ metadata: { ownerReferences } }))

/** A server with these objects by name, and how often it was asked. */
function serverWith(objects: Readonly<Record<string, KubeObject>>) {
  const asked: string[] = []
  const get: Kube['get'] = async <T extends KubeObject>(
    ...[of, { name }]: Parameters<Kube['get']>
  ) => {
    asked.push(`${of.plural}/${name}`)
    const found = objects[name]
    if (found === undefined) {
      throw new ApiError('get', { code: 404, reason: 'NotFound', said: `${name} not found` })
    }
    return Promise.resolve(found as T)
  }
  return { asked, kube: { get } }
}

void describe('apps/controller: who owns a pod', () => {
  const deployment = owner('Deployment', 'web')
  const replicaSet = { metadata: { ownerReferences: [deployment] } }

  void test('the Deployment of its ReplicaSet, which is asked for once', async () => {
    const { asked, kube } = serverWith({ 'web-1': replicaSet })
    const owners = createOwners(kube)
    const pod = podOf(owner('ReplicaSet', 'web-1'))
    for (let i = 0; i < 3; i += 1) {
      const found = await owners.of(pod, signal)
      assert.deepEqual(
        found.map(({ kind, name }) => `${kind} ${name}`),
        ['ReplicaSet web-1', 'Deployment web'],
      )
    }
    assert.deepEqual(asked, ['replicasets/web-1'])
  })

  void test('of a StatefulSet nobody is asked, nor of a ReplicaSet of another group', async () => {
    const { asked, kube } = serverWith({})
    const owners = createOwners(kube)
    assert.equal((await owners.of(podOf(owner('StatefulSet', 'db')), signal)).length, 1)
    const other = owner('ReplicaSet', 'x', 'example.com/v1')
    assert.equal((await owners.of(podOf(other), signal)).length, 1)
    assert.equal((await owners.of(podOf(), signal)).length, 0)
    assert.deepEqual(asked, [])
  })

  void test('a ReplicaSet that is gone ends the chain, and is not remembered', async () => {
    const { asked, kube } = serverWith({})
    const owners = createOwners(kube)
    const pod = podOf(owner('ReplicaSet', 'web-1'))
    await owners.of(pod, signal)
    assert.equal((await owners.of(pod, signal)).length, 1)
    assert.equal(asked.length, 2)
  })
})
