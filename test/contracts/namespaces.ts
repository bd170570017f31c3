/** Namespaces: they come at once, and go with all that is in them. */
import assert from 'node:assert/strict'

import type { Case } from './case.ts'
import { refused, untilGone } from './expect.ts'
import { configMap, configMaps, namespaces, newObject } from './objects.ts'

export const namespaceCases: readonly Case[] = [
  {
    name: 'a namespace is Active, has a label with its name, and takes what is in it along',
    run: async ({ kube }, { namespace }) => {
      const name = `${namespace}-inner`
      const created = await kube.create(namespaces, newObject({ metadata: { name } }))
      assert.equal(created.metadata.labels?.['kubernetes.io/metadata.name'], name)
      assert.equal((await kube.get(namespaces, { name })).status?.phase, 'Active')
      await kube.create(configMaps, configMap(name, 'a'))
      await kube.remove(namespaces, { name })
      await untilGone(async () => kube.get(namespaces, { name }))
      await refused(kube.get(configMaps, { namespace: name, name: 'a' }), {
        code: 404,
        reason: 'NotFound',
        said: 'configmaps "a" not found',
      })
    },
  },
  {
    name: 'nothing is created in a namespace that is going',
    run: async ({ kube }, { namespace }) => {
      const name = `${namespace}-going`
      const going = { metadata: { name }, spec: { finalizers: ['kubernetes'] } }
      await kube.create(namespaces, newObject(going))
      const held = configMap(name, 'held')
      const metadata = { ...held.metadata, finalizers: ['mbcas.io/hold'] }
      await kube.create(configMaps, { ...held, metadata })
      await kube.remove(namespaces, { name })
      await refused(kube.create(configMaps, configMap(name, 'late')), {
        code: 403,
        reason: 'Forbidden',
        said: `configmaps "late" is forbidden: unable to create new content in namespace ${name} because it is being terminated`,
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: `namespace ${name} is being terminated`,
            field: 'metadata.namespace',
          },
        ],
      })
      const body = { metadata: { finalizers: null } }
      await kube.patch(configMaps, { namespace: name, name: 'held' }, { type: 'merge', body })
    },
  },
]
