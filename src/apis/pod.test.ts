import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../test/each.ts'
import { projectPod } from '../../test/keep-in.ts'
import { cpuIn, finishedUnread, type Pod } from './pod.ts'

/** As the API gives it: with much that we do not read. */
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'api',
    namespace: 'default',
    uid: 'u1',
    resourceVersion: '7',
    labels: { app: 'api' },
    annotations: {
      'mbcas.io/min-cpu': '200m',
      'kubernetes.io/config.mirror': 'x',
      'kubectl.kubernetes.io/last-applied-configuration': '{"much": "text"}',
    },
    managedFields: [{ manager: 'kubectl', fieldsV1: {} }],
  },
  spec: {
    nodeName: 'n1',
    priority: 100,
    serviceAccountName: 'default',
    volumes: [{ name: 'token' }],
    containers: [
      {
        name: 'main',
        image: 'api:1',
        env: [{ name: 'A', value: 'b' }],
        resources: { requests: { cpu: '100m' }, limits: { cpu: '1' } },
        resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
      },
    ],
    initContainers: [{ name: 'proxy', image: 'proxy:1', restartPolicy: 'Always' }],
  },
  status: {
    phase: 'Running',
    qosClass: 'Burstable',
    podIPs: [{ ip: '10.0.0.1' }],
    conditions: [{ type: 'Ready', status: 'True', lastProbeTime: null }],
    containerStatuses: [
      {
        name: 'main',
        image: 'api:1',
        ready: true,
        restartCount: 0,
        containerID: 'containerd://c1',
        resources: { limits: { cpu: '1' } },
        allocatedResources: { cpu: '100m' },
        state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
      },
    ],
  },
}

void describe('apis/pod', () => {
  void test('a projected pod has what we read and nothing else', () => {
    assert.deepEqual(projectPod(pod as unknown as Pod), {
      metadata: {
        name: 'api',
        namespace: 'default',
        uid: 'u1',
        resourceVersion: '7',
        labels: {},
        annotations: { 'mbcas.io/min-cpu': '200m', 'kubernetes.io/config.mirror': 'x' },
      },
      spec: {
        nodeName: 'n1',
        priority: 100,
        containers: [
          {
            name: 'main',
            resources: { requests: { cpu: '100m' }, limits: { cpu: '1' } },
            resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
          },
        ],
        initContainers: [{ name: 'proxy', restartPolicy: 'Always' }],
      },
      status: {
        phase: 'Running',
        qosClass: 'Burstable',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [
          {
            name: 'main',
            restartCount: 0,
            containerID: 'containerd://c1',
            resources: { limits: { cpu: '1' } },
            allocatedResources: { cpu: '100m' },
            state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
          },
        ],
      },
    })
  })

  each(
    [
      { name: 'half a CPU is 500m', list: { cpu: '0.5' }, gives: 500 },
      { name: 'without CPU there is none', list: { memory: '1Gi' }, gives: undefined },
      { name: 'nor without a list', list: undefined, gives: undefined },
      { name: 'what no number holds is a billion CPUs', list: { cpu: '1E' }, gives: 1e12 },
      { name: 'and so is what nobody could count', list: { cpu: '1e2000' }, gives: 1e12 },
    ],
    ({ list, gives }) => assert.equal(cpuIn(list), gives),
  )

  void test('a bare pod stays bare', () => {
    const bare: Pod = { metadata: {}, spec: { containers: [] } }
    assert.deepEqual(projectPod(bare), bare)
  })

  void test('projecting changes no pod, and a second time nothing', () => {
    const { containers } = pod.spec
    const some = fc.record(
      {
        phase: fc.constantFrom('Pending', 'Running', undefined),
        reason: fc.string(),
        conditions: fc.array(fc.record({ type: fc.string(), status: fc.string(), x: fc.nat() })),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(some, fc.dictionary(fc.string(), fc.jsonValue()), (status, extra) => {
        const given = { ...pod, spec: { ...extra, containers }, status } as unknown as Pod
        const before = JSON.stringify(given)
        const once = projectPod(given)
        assert.deepEqual(projectPod(once), once)
        assert.equal(JSON.stringify(given), before)
      }),
    )
  })

  void test('of one that is too large only its end counts', () => {
    const unread = (phase: string) =>
      ({ metadata: { name: 'a' }, unread: 'why', status: { phase } }) as Pod
    assert.equal(finishedUnread(unread('Running')), undefined)
    const spec = { containers: [] }
    assert.deepEqual(finishedUnread(unread('Failed')), { ...unread('Failed'), spec })
  })
})
