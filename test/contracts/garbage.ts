/** What goes with its owner. */
import assert from 'node:assert/strict'

import { apiVersionOf, type KubeObject, type OwnerReference } from '../../src/apis/object.ts'
import { podAllocations } from '../../src/apis/pod-allocation.ts'
import { pods } from '../../src/apis/pod.ts'
import type { Case } from './case.ts'
import { eventually, refused, untilGone } from './expect.ts'
import { allocation, configMap, configMaps, waitingPod } from './objects.ts'

const ownedBy = (
  resource: { kind: string; apiVersion: string },
  owner: KubeObject,
): OwnerReference => ({
  ...resource,
  name: owner.metadata.name ?? '',
  uid: owner.metadata.uid ?? '',
})
const aPod = { apiVersion: apiVersionOf(pods), kind: 'Pod' }
const aConfigMap = { apiVersion: 'v1', kind: 'ConfigMap' }

export const garbageCases: readonly Case[] = [
  {
    name: 'a PodAllocation goes with its pod',
    needs: ['garbage-collector'],
    run: async ({ kube }, { namespace }) => {
      const owner = await kube.create(pods, waitingPod(namespace))
      const owned = allocation(namespace, 'p')
      const ownerReferences = [ownedBy(aPod, owner)]
      await kube.create(podAllocations, {
        ...owned,
        metadata: { ...owned.metadata, ownerReferences },
      })
      await kube.remove(pods, { namespace, name: 'p' })
      await untilGone(async () => kube.get(podAllocations, { namespace, name: 'p' }))
    },
  },
  {
    name: 'a PodAllocation of a pod that was never there goes, too',
    needs: ['garbage-collector'],
    run: async ({ kube }, { namespace }) => {
      const owned = allocation(namespace, 'p')
      const ownerReferences = [{ ...aPod, name: 'p', uid: '00000000-0000-4000-8000-000000000000' }]
      await kube.create(podAllocations, {
        ...owned,
        metadata: { ...owned.metadata, ownerReferences },
      })
      await untilGone(async () => kube.get(podAllocations, { namespace, name: 'p' }))
    },
  },
  ...(['Background', 'Foreground'] as const).map((propagation): Case => ({
    name: `${propagation}: what is owned goes with its owner`,
    needs: ['garbage-collector'],
    run: async ({ kube }, { namespace }) => {
      const owner = await kube.create(configMaps, configMap(namespace, 'owner'))
      const metadata = { namespace, name: 'owned', ownerReferences: [ownedBy(aConfigMap, owner)] }
      await kube.create(configMaps, { metadata })
      await kube.remove(configMaps, { namespace, name: 'owner' }, { propagation })
      await untilGone(async () => kube.get(configMaps, { namespace, name: 'owned' }))
      await untilGone(async () => kube.get(configMaps, { namespace, name: 'owner' }))
    },
  })),
  {
    name: 'Orphan: what is owned stays, without its owner',
    needs: ['garbage-collector'],
    run: async ({ kube }, { namespace }) => {
      const owner = await kube.create(configMaps, configMap(namespace, 'owner'))
      const metadata = { namespace, name: 'owned', ownerReferences: [ownedBy(aConfigMap, owner)] }
      await kube.create(configMaps, { metadata })
      await kube.remove(configMaps, { namespace, name: 'owner' }, { propagation: 'Orphan' })
      const orphan = await eventually(
        async () => kube.get(configMaps, { namespace, name: 'owned' }),
        (one) => one.metadata.ownerReferences === undefined,
      )
      assert.equal(orphan.metadata.deletionTimestamp, undefined)
    },
  },
  {
    name: 'an owner reference without a uid is refused',
    run: async ({ kube }, { namespace }) => {
      const ownerReferences = [{ ...aPod, name: 'p', uid: '' }]
      const metadata = { namespace, name: 'owned', ownerReferences }
      await refused(kube.create(configMaps, { metadata }), {
        code: 422,
        reason: 'Invalid',
        said: 'ConfigMap "owned" is invalid: metadata.ownerReferences.uid: Invalid value: "": must not be empty',
      })
    },
  },
]
