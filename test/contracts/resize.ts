/** What `pods/resize` accepts, whatever the node. The pods wait for ever to be scheduled. */
import assert from 'node:assert/strict'

import { pods, type Container, type Pod } from '../../src/apis/pod.ts'
import type { Patch } from '../../src/ports/kube.ts'
import type { Case } from './case.ts'
import { managersOf, partOf } from './expect.ts'
import { burstable, container, resources, waitingPod } from './objects.ts'
import { main as changeMain } from './resize-rows.ts'

const main = (resources: object): Patch => changeMain({ resources })

type Row = {
  readonly name: string
  readonly pod?: Parameters<typeof waitingPod>[1]
  readonly patch: Patch
  readonly gives: { readonly main?: Container['resources']; readonly [name: string]: unknown }
  /** 2 unless given: the spec has changed. */
  readonly generation?: number
}

const equal = { cpu: '50m', memory: '32Mi' }
const more = { cpu: '80m', memory: '48Mi' }
const second = container('other', { resources: burstable })

/** What a resize does not even look at. */
const dropped = [
  { image: 'mbcas.local/other:1' },
  { command: ['/bin/true'] },
  { env: [{ name: 'A', value: 'b' }] },
]

const rows: readonly Row[] = [
  {
    name: 'a request and a limit grow',
    patch: main({ requests: { cpu: '50m' }, limits: { cpu: '300m' } }),
    gives: { main: resources({ cpu: '50m', memory: '32Mi' }, { cpu: '300m', memory: '64Mi' }) },
  },
  {
    name: 'a request only',
    patch: main({ requests: { cpu: '50m' } }),
    gives: { main: resources({ cpu: '50m', memory: '32Mi' }, { cpu: '100m', memory: '64Mi' }) },
  },
  {
    name: 'a limit only',
    patch: main({ limits: { cpu: '50m' } }),
    gives: { main: resources({ cpu: '20m', memory: '32Mi' }, { cpu: '50m', memory: '64Mi' }) },
  },
  {
    name: 'quantities are written in their shortest form',
    patch: main({ requests: { cpu: '0.05' }, limits: { cpu: '1000m', memory: '65536Ki' } }),
    gives: { main: resources({ cpu: '50m', memory: '32Mi' }, { cpu: '1', memory: '64Mi' }) },
  },
  {
    name: 'less than a millicore is rounded up',
    patch: main({ requests: { cpu: '0.0101' } }),
    gives: { main: resources({ cpu: '11m', memory: '32Mi' }, { cpu: '100m', memory: '64Mi' }) },
  },
  {
    name: 'the same again changes nothing',
    patch: main({ requests: { cpu: '0.02' } }),
    gives: { main: burstable },
    generation: 1,
  },
  {
    name: 'a limit where there was none',
    pod: { containers: [container('main', { resources: resources({ cpu: '20m' }) })] },
    patch: main({ limits: { cpu: '100m' } }),
    gives: { main: resources({ cpu: '20m' }, { cpu: '100m' }) },
  },
  {
    name: 'a memory request where there was none',
    pod: { containers: [container('main', { resources: resources({ cpu: '20m' }) })] },
    patch: main({ requests: { memory: '16Mi' } }),
    gives: { main: resources({ cpu: '20m', memory: '16Mi' }) },
  },
  {
    name: 'a Guaranteed pod whose requests stay its limits',
    pod: { containers: [container('main', { resources: resources(equal, equal) })] },
    patch: main({ requests: more, limits: more }),
    gives: { main: resources(more, more) },
  },
  {
    name: 'several containers at once',
    pod: { containers: [container('main', { resources: burstable }), second] },
    patch: {
      type: 'strategic',
      body: {
        spec: {
          containers: [
            { name: 'main', resources: { requests: { cpu: '30m' } } },
            { name: 'other', resources: { limits: { cpu: '200m' } } },
          ],
        },
      },
    },
    gives: {
      main: resources({ cpu: '30m', memory: '32Mi' }, { cpu: '100m', memory: '64Mi' }),
      other: resources({ cpu: '20m', memory: '32Mi' }, { cpu: '200m', memory: '64Mi' }),
    },
  },
  {
    name: 'the second of two containers',
    pod: { containers: [container('main', { resources: burstable }), second] },
    patch: {
      type: 'strategic',
      body: { spec: { containers: [{ name: 'other', resources: { limits: { cpu: '200m' } } }] } },
    },
    gives: {
      main: burstable,
      other: resources({ cpu: '20m', memory: '32Mi' }, { cpu: '200m', memory: '64Mi' }),
    },
  },
  ...(['Always', undefined] as const).map((restartPolicy) => ({
    name: restartPolicy === undefined ? 'an init container' : 'a sidecar',
    pod: {
      spec: {
        initContainers: [
          container('first', { resources: burstable, ...(restartPolicy && { restartPolicy }) }),
        ],
      },
    },
    patch: {
      type: 'strategic' as const,
      body: {
        spec: { initContainers: [{ name: 'first', resources: { limits: { cpu: '70m' } } }] },
      },
    },
    gives: { first: resources({ cpu: '20m', memory: '32Mi' }, { cpu: '70m', memory: '64Mi' }) },
  })),
  {
    name: 'by a JSON patch',
    patch: {
      type: 'json',
      operations: [
        { op: 'replace', path: '/spec/containers/0/resources/limits/cpu', value: '70m' },
      ],
    },
    gives: { main: resources({ cpu: '20m', memory: '32Mi' }, { cpu: '70m', memory: '64Mi' }) },
  },
  {
    name: 'a request that is removed becomes the limit',
    patch: main({ requests: { memory: null } }),
    gives: { main: resources({ cpu: '20m', memory: '64Mi' }, { cpu: '100m', memory: '64Mi' }) },
  },
  ...dropped.map((change) => ({
    name: `another ${Object.keys(change).join()} in it is dropped`,
    patch: {
      type: 'strategic' as const,
      body: {
        spec: {
          containers: [{ name: 'main', resources: { limits: { cpu: '70m' } }, ...change }],
        },
      },
    },
    gives: { main: resources({ cpu: '20m', memory: '32Mi' }, { cpu: '70m', memory: '64Mi' }) },
  })),
  {
    name: 'labels, annotations and tolerations in it are dropped',
    patch: {
      type: 'strategic',
      body: {
        metadata: { labels: { a: 'b' }, annotations: { a: 'b' } },
        spec: { activeDeadlineSeconds: 5, tolerations: [{ key: 'a', operator: 'Exists' }] },
      },
    },
    gives: { main: burstable },
    generation: 1,
  },
]

function given({ spec }: Pod, names: readonly string[]): Record<string, unknown> {
  const all = [...(spec.initContainers ?? []), ...spec.containers]
  return Object.fromEntries(
    names.map((wanted) => [wanted, all.find(({ name }) => name === wanted)?.resources]),
  )
}

export const resizeCases: readonly Case[] = [
  ...rows.map(({ name, pod, patch, gives, generation = 2 }): Case => ({
    name: `accepts: ${name}`,
    run: async ({ kube }, { namespace }) => {
      const old = await kube.create(pods, waitingPod(namespace, pod))
      assert.equal(old.metadata.generation, 1)
      const at = { namespace, name: 'p', subresource: 'resize' } as const
      const resized = await kube.patch(pods, at, patch)
      assert.deepEqual(given(resized, Object.keys(gives)), gives)
      assert.equal(resized.metadata.generation, generation)
      assert.deepEqual(resized.metadata.labels, old.metadata.labels)
      for (const [index, after] of resized.spec.containers.entries()) {
        const { resources: _, ...rest } = after
        const { resources: __, ...before } = old.spec.containers[index] ?? after
        assert.deepEqual(rest, before)
      }
      assert.deepEqual(partOf(resized, 'status'), partOf(old, 'status'))
      assert.deepEqual(await kube.get(pods, { namespace, name: 'p' }), resized)
    },
  })),
  {
    name: 'resources of the pod as a whole',
    run: async ({ kube }, { namespace }) => {
      const level = resources({ cpu: '100m' }, { cpu: '200m' })
      await kube.create(pods, waitingPod(namespace, { spec: { resources: level } }))
      const at = { namespace, name: 'p', subresource: 'resize' } as const
      const body = { spec: { resources: { limits: { cpu: '300m' } } } }
      const resized = await kube.patch(pods, at, { type: 'strategic', body })
      assert.deepEqual(resized.spec.resources?.limits?.['cpu'], '300m')
      assert.equal(resized.metadata.generation, 2)
    },
  },
  {
    name: 'get answers the pod',
    run: async ({ kube }, { namespace }) => {
      const created = await kube.create(pods, waitingPod(namespace))
      const got = await kube.get(pods, { namespace, name: 'p', subresource: 'resize' })
      assert.deepEqual(got, created)
    },
  },
  {
    name: 'update takes the whole pod',
    run: async ({ kube }, { namespace }) => {
      const created = await kube.create(pods, waitingPod(namespace))
      const [first] = created.spec.containers
      assert.ok(first)
      const limits = { cpu: '70m', memory: '64Mi' }
      const containers = [{ ...first, resources: { ...first.resources, limits } }]
      const resized = await kube.update(
        pods,
        { ...created, spec: { ...created.spec, containers } },
        { subresource: 'resize' },
      )
      assert.deepEqual(resized.spec.containers[0]?.resources?.limits, limits)
    },
  },
  {
    name: 'who resized is written down with the subresource',
    run: async ({ kube }, { namespace }) => {
      await kube.create(pods, waitingPod(namespace))
      const at = { namespace, name: 'p', subresource: 'resize' } as const
      const resized = await kube.patch(pods, at, main({ limits: { cpu: '70m' } }), {
        fieldManager: 'mbcas-controller',
      })
      const ours = managersOf(resized).find(({ manager }) => manager === 'mbcas-controller')
      assert.equal(ours?.operation, 'Update')
      assert.equal(ours?.subresource, 'resize')
      assert.deepEqual(ours?.fieldsV1, {
        'f:spec': {
          'f:containers': {
            'k:{"name":"main"}': { 'f:resources': { 'f:limits': { 'f:cpu': {} } } },
          },
        },
      })
    },
  },
  {
    name: 'a request of the pod as a whole that is removed becomes the sum of the containers',
    run: async ({ kube }, { namespace }) => {
      const level = resources({ cpu: '100m' }, { cpu: '200m' })
      await kube.create(pods, waitingPod(namespace, { spec: { resources: level } }))
      const at = { namespace, name: 'p', subresource: 'resize' } as const
      const path = '/spec/resources/requests/cpu'
      const resized = await kube.patch(pods, at, {
        type: 'json',
        operations: [{ op: 'remove', path }],
      })
      assert.equal(resized.spec.resources?.requests?.['cpu'], '20m')
    },
  },
  {
    name: 'a pod without a resize policy is given none',
    run: async ({ kube }, { namespace }) => {
      const { spec } = await kube.create(pods, waitingPod(namespace))
      assert.equal(spec.containers[0]?.resizePolicy, undefined)
    },
  },
]
