/** Events, as the recorder writes them and `kubectl describe` asks for them. */
import assert from 'node:assert/strict'

import { events, type KubeEvent } from '../../src/apis/event.ts'
import type { Case } from './case.ts'
import { namesOf, refused } from './expect.ts'

const event = (namespace: string, name: string, about: string): KubeEvent => ({
  metadata: { namespace, name },
  involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace, name: about, uid: `uid-of-${about}` },
  type: 'Normal',
  reason: 'CPUApplied',
  message: 'the pod has what it should have',
  source: { component: 'mbcas-controller' },
  reportingComponent: 'mbcas-controller',
  reportingInstance: '',
  count: 1,
  firstTimestamp: '2026-01-01T00:00:00Z',
  lastTimestamp: '2026-01-01T00:00:00Z',
})

export const eventCases: readonly Case[] = [
  {
    name: 'an event is kept as it was written',
    run: async ({ kube }, { namespace }) => {
      const { metadata: _, ...rest } = event(namespace, 'e', 'p')
      const { metadata: __, ...made } = await kube.create(events, event(namespace, 'e', 'p'))
      const kind = { apiVersion: 'v1', kind: 'Event' }
      assert.deepEqual(made, { ...kind, ...rest, eventTime: null })
    },
  },
  {
    name: 'a series is counted on by a merge patch',
    run: async ({ kube }, { namespace }) => {
      await kube.create(events, event(namespace, 'e', 'p'))
      const body = { count: 2, lastTimestamp: '2026-01-01T00:01:00Z', message: 'again' }
      const now = await kube.patch(events, { namespace, name: 'e' }, { type: 'merge', body })
      assert.equal(now.count, 2)
      assert.equal(now.firstTimestamp, '2026-01-01T00:00:00Z')
      assert.equal(now.lastTimestamp, '2026-01-01T00:01:00Z')
    },
  },
  {
    name: 'a second event of one name is refused, and a patch of none',
    run: async ({ kube }, { namespace }) => {
      await kube.create(events, event(namespace, 'e', 'p'))
      await refused(kube.create(events, event(namespace, 'e', 'p')), {
        code: 409,
        reason: 'AlreadyExists',
        said: 'events "e" already exists',
      })
      const patch = { type: 'merge', body: { count: 2 } } as const
      await refused(kube.patch(events, { namespace, name: 'none' }, patch), {
        code: 404,
        reason: 'NotFound',
        said: 'events "none" not found',
      })
    },
  },
  ...[
    'involvedObject.name=p',
    'involvedObject.uid=uid-of-p',
    'involvedObject.kind=Pod,involvedObject.name=p',
    'reason=CPUApplied,involvedObject.name!=q',
  ].map((fieldSelector): Case => ({
    name: `field selector ${fieldSelector}`,
    run: async ({ kube }, { namespace }) => {
      await kube.create(events, event(namespace, 'of-p', 'p'))
      await kube.create(events, event(namespace, 'of-q', 'q'))
      const { items } = await kube.list(events, { namespace, fieldSelector })
      assert.deepEqual(namesOf(items), ['of-p'])
    },
  })),
  {
    name: 'an event about an object of another namespace is refused',
    run: async ({ kube }, { namespace }) => {
      const { involvedObject, ...rest } = event(namespace, 'e', 'p')
      const other = { ...rest, involvedObject: { ...involvedObject, namespace: 'elsewhere' } }
      await refused(kube.create(events, other), {
        code: 422,
        reason: 'Invalid',
        said: 'Event "e" is invalid: involvedObject.namespace: Invalid value: "elsewhere": does not match event.namespace',
      })
    },
  },
  {
    name: 'an event about a node is in default',
    run: async ({ kube, nodeName }, { namespace }) => {
      const about = { apiVersion: 'v1', kind: 'Node', name: nodeName, uid: nodeName }
      const name = `about-node-${namespace}`
      await kube.create(events, { ...event('default', name, nodeName), involvedObject: about })
      await refused(
        kube.create(events, { ...event(namespace, name, nodeName), involvedObject: about }),
        {
          code: 422,
          reason: 'Invalid',
          said: `Event "${name}" is invalid: involvedObject.namespace: Invalid value: "": does not match event.namespace`,
        },
      )
      await kube.remove(events, { namespace: 'default', name })
    },
  },
  {
    name: 'the same events are served by events.k8s.io',
    run: async ({ kube }, { namespace }) => {
      await kube.create(events, event(namespace, 'e', 'p'))
      const path = `/apis/events.k8s.io/v1/namespaces/${namespace}/events/e`
      const now = (await kube.raw(path)) as { note: string; regarding: { name: string } }
      assert.equal(now.note, 'the pod has what it should have')
      assert.equal(now.regarding.name, 'p')
    },
  },
]
