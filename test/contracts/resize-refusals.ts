/**
 * What `pods/resize` refuses, whatever the node: each rule of ValidatePodResize in the server's words.
 * The pods wait for ever to be scheduled, so that no kubelet is needed.
 */
import assert from 'node:assert/strict'

import { pods } from '../../src/apis/pod.ts'
import type { JsonPatchOperation, Patch } from '../../src/ports/kube.ts'
import type { Case } from './case.ts'
import { refused } from './expect.ts'
import { burstable, container, resources, waitingPod } from './objects.ts'

type Row = {
  readonly name: string
  /** Burstable with one container `main` unless given. */
  readonly pod?: Parameters<typeof waitingPod>[1]
  readonly patch: Patch
  readonly code?: number
  readonly reason?: string
  readonly said: string | RegExp
}

const main = (change: object): Patch => ({
  type: 'strategic',
  body: { spec: { containers: [{ name: 'main', ...change }] } },
})
const sidecar = (change: object): Patch => ({
  type: 'strategic',
  body: { spec: { initContainers: [{ name: 'side', ...change }] } },
})
const json = (...operations: JsonPatchOperation[]): Patch => ({ type: 'json', operations })

const two = { containers: [container('main', { resources: burstable }), container('other')] }
const withoutLimits = {
  containers: [container('main', { resources: resources({ cpu: '20m', memory: '32Mi' }) })],
}
const equal = { cpu: '50m', memory: '32Mi' }
const guaranteed = { containers: [container('main', { resources: resources(equal, equal) })] }
const bestEffort = { containers: [container('main')] }
const withSidecar = {
  spec: { initContainers: [container('side', { resources: burstable, restartPolicy: 'Always' })] },
}
const withPodLevel = {
  spec: { resources: resources({ cpu: '100m', memory: '64Mi' }, { cpu: '200m', memory: '128Mi' }) },
}
const withStorage = {
  containers: [
    container('main', {
      resources: resources({ cpu: '20m', 'ephemeral-storage': '1Mi', 'example.com/gpu': '1' }, { 'example.com/gpu': '1' }),
    }),
  ],
}

const rows: readonly Row[] = [
  { name: 'Burstable to Guaranteed', patch: main({ resources: { requests: { cpu: '100m', memory: '64Mi' } } }), said: 'Pod "p" is invalid: spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing' },
  { name: 'Guaranteed to Burstable', pod: guaranteed, patch: main({ resources: { requests: { cpu: '40m' } } }), said: 'Pod "p" is invalid: spec: Invalid value: "Guaranteed": Pod QOS Class may not change as a result of resizing' },
  { name: 'BestEffort to Burstable', pod: bestEffort, patch: main({ resources: { requests: { cpu: '40m' } } }), said: 'Pod "p" is invalid: spec: Invalid value: "BestEffort": Pod QOS Class may not change as a result of resizing' },
  { name: 'BestEffort to Guaranteed', pod: bestEffort, patch: main({ resources: { limits: equal } }), said: 'Pod "p" is invalid: spec: Invalid value: "BestEffort": Pod QOS Class may not change as a result of resizing' },
  { name: 'a request removed', pod: withoutLimits, patch: main({ resources: { requests: { memory: null } } }), said: 'Pod "p" is invalid: spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed' },
  { name: 'a limit removed', patch: main({ resources: { limits: { cpu: null } } }), said: 'Pod "p" is invalid: spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed' },
  { name: 'all requests removed', patch: json({ op: 'remove', path: '/spec/containers/0/resources/requests' }), said: 'Pod "p" is invalid: spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing' },
  { name: 'all resources removed', patch: json({ op: 'remove', path: '/spec/containers/0/resources' }), said: 'Pod "p" is invalid: [spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing, spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed, spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed]' },
  { name: 'ephemeral storage changed', pod: withStorage, patch: main({ resources: { requests: { 'ephemeral-storage': '2Mi' } } }), said: 'Pod "p" is invalid: spec: Forbidden: only cpu and memory resources are mutable' },
  { name: 'an extended resource changed', pod: withStorage, patch: main({ resources: { requests: { 'example.com/gpu': '2' }, limits: { 'example.com/gpu': '2' } } }), said: 'Pod "p" is invalid: spec: Forbidden: only cpu and memory resources are mutable' },
  { name: 'an extended resource added', patch: main({ resources: { requests: { 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '1' } } }), said: 'Pod "p" is invalid: spec: Forbidden: only cpu and memory resources are mutable' },
  { name: 'a container added', patch: json({ op: 'add', path: '/spec/containers/-', value: container('new') }), said: 'Pod "p" is invalid: spec.containers: Forbidden: containers may not be added or removed on resize' },
  { name: 'a container removed', pod: two, patch: json({ op: 'remove', path: '/spec/containers/1' }), said: 'Pod "p" is invalid: spec.containers: Forbidden: containers may not be added or removed on resize' },
  { name: 'a container renamed', patch: json({ op: 'replace', path: '/spec/containers/0/name', value: 'new' }), said: 'Pod "p" is invalid: spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize' },
  { name: 'containers reordered', pod: two, patch: json({ op: 'replace', path: '/spec/containers/0/name', value: 'other' }, { op: 'replace', path: '/spec/containers/1/name', value: 'main' }), said: 'Pod "p" is invalid: [spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize, spec.containers[1].name: Forbidden: containers may not be renamed or reordered on resize]' },
  { name: 'a resize policy changed', patch: main({ resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }), said: 'Pod "p" is invalid: spec: Forbidden: only cpu and memory resources are mutable' },
  { name: 'a request above the limit', patch: main({ resources: { requests: { cpu: '150m' } } }), said: 'Pod "p" is invalid: spec.containers[0].resources.requests: Invalid value: "150m": must be less than or equal to cpu limit of 100m' },
  { name: 'a memory request above the limit', patch: main({ resources: { requests: { memory: '65Mi' } } }), said: 'Pod "p" is invalid: spec.containers[0].resources.requests: Invalid value: "65Mi": must be less than or equal to memory limit of 64Mi' },
  { name: 'a limit below the request', patch: main({ resources: { limits: { cpu: '10m' } } }), said: 'Pod "p" is invalid: spec.containers[0].resources.requests: Invalid value: "20m": must be less than or equal to cpu limit of 10m' },
  { name: 'a negative request', patch: main({ resources: { requests: { cpu: '-1' } } }), said: 'Pod "p" is invalid: spec.containers[0].resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0' },
  { name: 'a quantity that cannot be read', patch: main({ resources: { requests: { cpu: 'much' } } }), said: ' "" is invalid: patch: Invalid value: "map[spec:map[containers:[map[name:main resources:map[requests:map[cpu:much]]]]]]": quantities must match the regular expression \'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$\'' },
  { name: 'a sidecar added', patch: json({ op: 'add', path: '/spec/initContainers', value: [container('side')] }), said: 'Pod "p" is invalid: spec.initContainers: Forbidden: initContainers may not be added or removed on resize' },
  { name: 'a sidecar removed', pod: withSidecar, patch: json({ op: 'remove', path: '/spec/initContainers/0' }), said: 'Pod "p" is invalid: spec.initContainers: Forbidden: initContainers may not be added or removed on resize' },
  { name: 'a sidecar renamed', pod: withSidecar, patch: json({ op: 'replace', path: '/spec/initContainers/0/name', value: 'new' }), said: 'Pod "p" is invalid: spec.initContainers[0].name: Forbidden: initContainers may not be renamed or reordered on resize' },
  { name: "a sidecar's limit removed", pod: withSidecar, patch: sidecar({ resources: { limits: { cpu: null } } }), said: 'Pod "p" is invalid: spec.initContainers[0].resources.limits: Forbidden: resource limits cannot be removed' },
  { name: 'resources of the pod removed', pod: withPodLevel, patch: json({ op: 'remove', path: '/spec/resources' }), said: 'Pod "p" is invalid: spec.resources: Forbidden: pod-level resources cannot be removed' },
  { name: 'a limit of the pod removed', pod: withPodLevel, patch: json({ op: 'remove', path: '/spec/resources/limits/memory' }), said: 'Pod "p" is invalid: spec.resources.limits: Forbidden: pod-level resource limits cannot be removed' },
  { name: 'containers that request more than their pod', pod: withPodLevel, patch: main({ resources: { requests: { cpu: '150m' }, limits: { cpu: '180m' } } }), said: 'Pod "p" is invalid: spec.resources.requests[cpu]: Invalid value: "100m": must be greater than or equal to aggregate container requests of 150m' },
  { name: "a container's limit above the pod's", pod: withPodLevel, patch: main({ resources: { limits: { cpu: '300m' } } }), said: 'Pod "p" is invalid: spec.resources.containers[0][cpu].limits: Invalid value: "300m": must be less than or equal to pod limits of 200m' },
  { name: 'a Windows pod', pod: { spec: { os: { name: 'windows' } } }, patch: main({ resources: { requests: { cpu: '40m' } } }), said: 'Pod "p" is invalid: []: Forbidden: windows pods cannot be resized' },
  { name: 'two rules at once', patch: main({ image: 'mbcas.local/other:1', resources: { requests: { memory: null }, limits: { cpu: null } } }), said: 'Pod "p" is invalid: spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed' },
]

const otherRows: readonly Case[] = [
  {
    name: 'a static pod',
    run: async ({ kube }, { namespace }) => {
      // Bound elsewhere: a kubelet would take a mirror pod away that it knows no source of.
      const spec = { nodeName: `no-node-of-${namespace}`, schedulingGates: [] }
      const annotations = { 'kubernetes.io/config.mirror': 'hash' }
      await kube.create(pods, waitingPod(namespace, { annotations, spec }))
      const at = { namespace, name: 'p', subresource: 'resize' } as const
      await refused(kube.patch(pods, at, main({ resources: { requests: { cpu: '40m' } } })), { code: 422, reason: 'Invalid', said: 'Pod "p" is invalid: []: Forbidden: static pods cannot be resized' })
    },
  },
  {
    name: 'no pod of this name',
    run: async ({ kube }, { namespace }) => {
      const at = { namespace, name: 'nobody', subresource: 'resize' } as const
      await refused(kube.patch(pods, at, main({ resources: { requests: { cpu: '40m' } } })), {
        code: 404,
        reason: 'NotFound',
        said: 'pods "nobody" not found',
      })
    },
  },
  {
    name: 'a version that is no longer the newest',
    run: async ({ kube }, { namespace }) => {
      const old = await kube.create(pods, waitingPod(namespace))
      const at = { namespace, name: 'p' }
      await kube.patch(pods, at, { type: 'merge', body: { metadata: { labels: { a: 'b' } } } })
      await refused(kube.update(pods, old, { subresource: 'resize' }), {
        code: 409,
        reason: 'Conflict',
        said: 'Operation cannot be fulfilled on pods "p": the object has been modified; please apply your changes to the latest version and try again',
      })
    },
  },
  {
    name: 'resources through the pod itself',
    run: async ({ kube }, { namespace }) => {
      await kube.create(pods, waitingPod(namespace))
      const patch = main({ resources: { requests: { cpu: '40m' } } })
      await refused(kube.patch(pods, { namespace, name: 'p' }, patch), {
        code: 422,
        reason: 'Invalid',
        said: /^Pod "p" is invalid: spec: Forbidden: pod updates may not change fields other than `spec\.containers\[\*\]\.image`,`spec\.initContainers\[\*\]\.image`,`spec\.activeDeadlineSeconds`,`spec\.tolerations` \(only additions to existing tolerations\),`spec\.terminationGracePeriodSeconds` \(allow it to be set to 1 if it was previously negative\)\n/,
      })
    },
  },
  {
    name: 'a pod that would restart on resize though it must not restart',
    run: async ({ kube }, { namespace }) => {
      const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] as const
      const containers = [container('main', { resources: burstable, resizePolicy })]
      await refused(kube.create(pods, waitingPod(namespace, { containers, spec: { restartPolicy: 'Never' } })), {
        code: 422,
        reason: 'Invalid',
        said: 'Pod "p" is invalid: spec.containers[0].resizePolicy: Invalid value: "RestartContainer": must be \'NotRequired\' when pod `restartPolicy` is \'Never\'',
      })
    },
  },
  {
    name: 'an init container, no sidecar, that would restart on resize',
    run: async ({ kube }, { namespace }) => {
      const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] as const
      const spec = { initContainers: [container('first', { resources: burstable, resizePolicy })] }
      await refused(kube.create(pods, waitingPod(namespace, { spec })), {
        code: 422,
        reason: 'Invalid',
        said: 'Pod "p" is invalid: spec.initContainers[0].resizePolicy[0].restartPolicy: Invalid value: "RestartContainer": must not be set to \'RestartContainer\' for non-sidecar initContainers',
      })
    },
  },
]

export const resizeRefusalCases: readonly Case[] = [
  ...rows.map(
    ({ name, pod, patch, code = 422, reason = 'Invalid', said }): Case => ({
      name,
      run: async ({ kube }, { namespace }) => {
        const old = await kube.create(pods, waitingPod(namespace, pod))
        await refused(kube.patch(pods, { namespace, name: 'p', subresource: 'resize' }, patch), { code, reason, said })
        assert.deepEqual(await kube.get(pods, { namespace, name: 'p' }), old)
      },
    }),
  ),
  ...otherRows,
]
