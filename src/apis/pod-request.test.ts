import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../test/each.ts'
import { podRequestOf } from './pod-request.ts'
import type { Pod, PodSpec, ResourceRequirements } from './pod.ts'

const both = (amounts: Record<string, string>): ResourceRequirements => ({
  requests: amounts,
  limits: amounts,
})
const whole = both({ cpu: '2', memory: '1Gi' })

const podOf = (spec: Partial<PodSpec> = {}, rest: Partial<Pod> = {}): Pod => ({
  metadata: { name: 'api', namespace: 'shop' },
  spec: { containers: [{ name: 'app', resources: whole }], ...spec },
  ...rest,
})

const classes = [
  { name: 'requests as large as limits', pod: podOf(), isGuaranteed: true },
  {
    name: 'limits alone: they are requested too',
    pod: podOf({
      containers: [{ name: 'app', resources: { limits: { cpu: '1', memory: '1Gi' } } }],
    }),
    isGuaranteed: true,
  },
  {
    name: 'a smaller request',
    pod: podOf({ containers: [{ name: 'app', resources: { ...whole, requests: { cpu: '1' } } }] }),
    isGuaranteed: false,
  },
  {
    name: 'an init container without limits',
    pod: podOf({ initContainers: [{ name: 'init' }] }),
    isGuaranteed: false,
  },
  {
    name: 'no memory',
    pod: podOf({ containers: [{ name: 'app', resources: both({ cpu: '1' }) }] }),
    isGuaranteed: false,
  },
  {
    name: 'what the API server has said counts',
    pod: podOf({}, { status: { qosClass: 'Burstable' } }),
    isGuaranteed: false,
  },
]

void describe('apis: what a pod asks of the managers of its node', () => {
  each(classes, ({ pod, isGuaranteed }) => {
    assert.equal(podRequestOf(pod).isGuaranteed, isGuaranteed)
  })

  void test('containers come in the order in which they start, with their kinds', () => {
    const pod = podOf({
      initContainers: [
        { name: 'init', resources: whole },
        { name: 'proxy', resources: whole, restartPolicy: 'Always' },
      ],
    })
    const kinds = podRequestOf(pod).containers.map(({ name, kind }) => `${name} ${kind}`)
    assert.deepEqual(kinds, ['init init', 'proxy sidecar', 'app app'])
  })

  void test('amounts are millicores, and bytes of memory and huge pages', () => {
    const resources = both({ cpu: '1500m', memory: '1Gi', 'hugepages-2Mi': '4Mi', 'x.y/gpu': '1' })
    const pod = podOf({ containers: [{ name: 'app', resources }] })
    assert.deepEqual(podRequestOf(pod).containers, [
      {
        name: 'app',
        kind: 'app',
        cpu: 1500,
        memory: { memory: 2 ** 30, 'hugepages-2Mi': 2 ** 22 },
      },
    ])
  })

  void test('parts of a byte stay parts, for the kubelet to refuse', () => {
    const pod = podOf({ containers: [{ name: 'app', resources: both({ memory: '1500m' }) }] })
    assert.deepEqual(podRequestOf(pod).containers[0]?.memory, { memory: 1.5 })
  })

  void test('more CPUs than can be counted are refused', () => {
    const pod = podOf({ containers: [{ name: 'app', resources: both({ cpu: '1e20' }) }] })
    assert.throws(() => podRequestOf(pod), {
      name: 'InvalidInput',
      message: /^container app: cpu: converting quantity "100e18": expected at most \d+ millicores/,
    })
  })

  void test('resources of the pod as a whole are told of', () => {
    assert.equal(podRequestOf(podOf()).hasPodResources, false)
    assert.equal(podRequestOf(podOf({ resources: {} })).hasPodResources, false)
    assert.equal(podRequestOf(podOf({ resources: whole })).hasPodResources, true)
  })

  void test('a pod that is in no cluster is known by its name', () => {
    assert.equal(podRequestOf(podOf()).uid, 'shop/api')
    assert.equal(podRequestOf(podOf({}, { metadata: { name: 'a', uid: 'u' } })).uid, 'u')
  })
})
