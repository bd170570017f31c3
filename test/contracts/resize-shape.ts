/** Everything but amounts that `pods/resize` refuses, whatever the node, in the server's words. */
import { pods } from '../../src/apis/pod.ts'
import type { Case } from './case.ts'
import { refused } from './expect.ts'
import { burstable, container, resources, waitingPod } from './objects.ts'
import { json, main, refusedCase, type RefusedRow, side } from './resize-rows.ts'

const two = { containers: [container('main', { resources: burstable }), container('other')] }
const withSidecar = {
  spec: { initContainers: [container('side', { resources: burstable, restartPolicy: 'Always' })] },
}
const withPodLevel = {
  spec: { resources: resources({ cpu: '100m', memory: '64Mi' }, { cpu: '200m', memory: '128Mi' }) },
}

const rows: readonly RefusedRow[] = [
  {
    name: 'a container added',
    patch: json({ op: 'add', path: '/spec/containers/-', value: container('new') }),
    said: 'Pod "p" is invalid: spec.containers: Forbidden: containers may not be added or removed on resize',
  },
  {
    name: 'a container removed',
    pod: two,
    patch: json({ op: 'remove', path: '/spec/containers/1' }),
    said: 'Pod "p" is invalid: spec.containers: Forbidden: containers may not be added or removed on resize',
  },
  {
    name: 'a container renamed',
    patch: json({ op: 'replace', path: '/spec/containers/0/name', value: 'new' }),
    said: 'Pod "p" is invalid: spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize',
  },
  {
    name: 'containers reordered',
    pod: two,
    patch: json(
      { op: 'replace', path: '/spec/containers/0/name', value: 'other' },
      { op: 'replace', path: '/spec/containers/1/name', value: 'main' },
    ),
    said: 'Pod "p" is invalid: [spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize, spec.containers[1].name: Forbidden: containers may not be renamed or reordered on resize]',
  },
  {
    name: 'a resize policy changed',
    patch: main({ resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }),
    said: 'Pod "p" is invalid: spec: Forbidden: only cpu and memory resources are mutable',
  },
  {
    name: 'a sidecar added',
    patch: json({ op: 'add', path: '/spec/initContainers', value: [container('side')] }),
    said: 'Pod "p" is invalid: spec.initContainers: Forbidden: initContainers may not be added or removed on resize',
  },
  {
    name: 'a sidecar removed',
    pod: withSidecar,
    patch: json({ op: 'remove', path: '/spec/initContainers/0' }),
    said: 'Pod "p" is invalid: spec.initContainers: Forbidden: initContainers may not be added or removed on resize',
  },
  {
    name: 'a sidecar renamed',
    pod: withSidecar,
    patch: json({ op: 'replace', path: '/spec/initContainers/0/name', value: 'new' }),
    said: 'Pod "p" is invalid: spec.initContainers[0].name: Forbidden: initContainers may not be renamed or reordered on resize',
  },
  {
    name: "a sidecar's limit removed",
    pod: withSidecar,
    patch: side({ resources: { limits: { cpu: null } } }),
    said: 'Pod "p" is invalid: spec.initContainers[0].resources.limits: Forbidden: resource limits cannot be removed',
  },
  {
    name: 'resources of the pod removed',
    pod: withPodLevel,
    patch: json({ op: 'remove', path: '/spec/resources' }),
    said: 'Pod "p" is invalid: spec.resources: Forbidden: pod-level resources cannot be removed',
  },
  {
    name: 'a limit of the pod removed',
    pod: withPodLevel,
    patch: json({ op: 'remove', path: '/spec/resources/limits/memory' }),
    said: 'Pod "p" is invalid: spec.resources.limits: Forbidden: pod-level resource limits cannot be removed',
  },
  {
    name: 'containers that request more than their pod',
    pod: withPodLevel,
    patch: main({ resources: { requests: { cpu: '150m' }, limits: { cpu: '180m' } } }),
    said: 'Pod "p" is invalid: spec.resources.requests[cpu]: Invalid value: "100m": must be greater than or equal to aggregate container requests of 150m',
  },
  {
    name: "a container's limit above the pod's",
    pod: withPodLevel,
    patch: main({ resources: { limits: { cpu: '300m' } } }),
    said: 'Pod "p" is invalid: spec.resources.containers[0][cpu].limits: Invalid value: "300m": must be less than or equal to pod limits of 200m',
  },
  {
    name: 'a Windows pod',
    pod: { spec: { os: { name: 'windows' } } },
    patch: main({ resources: { requests: { cpu: '40m' } } }),
    said: 'Pod "p" is invalid: []: Forbidden: windows pods cannot be resized',
  },
  {
    name: 'two rules at once',
    patch: main({
      image: 'mbcas.local/other:1',
      resources: { requests: { memory: null }, limits: { cpu: null } },
    }),
    said: 'Pod "p" is invalid: spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed',
  },
]

export const resizeShapeCases: readonly Case[] = [
  ...rows.map(refusedCase),
  {
    name: 'a static pod',
    run: async ({ kube }, { namespace }) => {
      // Bound elsewhere: a kubelet would take a mirror pod away that it knows no source of.
      const spec = { nodeName: `no-node-of-${namespace}`, schedulingGates: [] }
      const annotations = { 'kubernetes.io/config.mirror': 'hash' }
      await kube.create(pods, waitingPod(namespace, { annotations, spec }))
      const at = { namespace, name: 'p', subresource: 'resize' } as const
      await refused(kube.patch(pods, at, main({ resources: { requests: { cpu: '40m' } } })), {
        code: 422,
        reason: 'Invalid',
        said: 'Pod "p" is invalid: []: Forbidden: static pods cannot be resized',
      })
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
      await refused(
        kube.create(pods, waitingPod(namespace, { containers, spec: { restartPolicy: 'Never' } })),
        {
          code: 422,
          reason: 'Invalid',
          said: 'Pod "p" is invalid: spec.containers[0].resizePolicy: Invalid value: "RestartContainer": must be \'NotRequired\' when pod `restartPolicy` is \'Never\'',
        },
      )
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
