import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { managedBy, nodeCpus } from '../../../test/node-cpus.ts'
import { originalAnnotation } from '../../apis/names.ts'
import type { ContainerStatus, Pod, PodCondition } from '../../apis/pod.ts'
import {
  lastingContainers,
  nodePodOf,
  pendingResizeOf,
  type PodKnowledge,
  startedAtOf,
} from './pod-facts.ts'
import { readWishes } from './wishes.ts'

const status = (name: string, given: Partial<ContainerStatus> = {}): ContainerStatus => ({
  name,
  restartCount: 0,
  containerID: `containerd://${name}`,
  state: { running: {} },
  ...given,
})

const pod = (given: Partial<Pod> = {}): Pod => ({
  metadata: { name: 'api', namespace: 'shop', uid: 'u1' },
  spec: {
    containers: [
      { name: 'app', resources: { requests: { cpu: '0.1' }, limits: { cpu: '1' } } },
      {
        name: 'log',
        resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }],
      },
    ],
    initContainers: [{ name: 'setup' }, { name: 'proxy', restartPolicy: 'Always' }],
  },
  status: {
    phase: 'Running',
    qosClass: 'Burstable',
    containerStatuses: [status('log', { state: { terminated: {} } }), status('app')],
    initContainerStatuses: [status('setup'), status('proxy')],
  },
  ...given,
})

const facts = (given: Partial<Pod> = {}, known: Partial<PodKnowledge> = {}) => {
  const one = pod(given)
  const { wishes } = readWishes(one)
  const nothing = { trackedOf: () => undefined, range: undefined, nodeCpus: undefined }
  return nodePodOf(one, { wishes, ...nothing, ...known })
}

void describe('the facts of a pod', () => {
  void test('containers and sidecars have a place in the kernel while they run', () => {
    const place = { podUid: 'u1', qosClass: 'Burstable' }
    assert.deepEqual(lastingContainers(pod()), [
      {
        name: 'app',
        place: { ...place, containerId: 'containerd://app' },
        request: 100,
        limit: 1000,
      },
      { name: 'log', place: undefined, request: undefined, limit: undefined },
      {
        name: 'proxy',
        place: { ...place, containerId: 'containerd://proxy' },
        request: undefined,
        limit: undefined,
      },
    ])
  })

  void test('containers and sidecars are told with what they ask for', () => {
    const { containers } = facts()
    assert.deepEqual(
      containers.map(({ name, request, limit, restartsOnResize }) => [
        name,
        request,
        limit,
        restartsOnResize,
      ]),
      [
        ['app', 100, 1000, false],
        ['log', undefined, undefined, true],
        ['proxy', undefined, undefined, false],
      ],
    )
  })

  const metadata = pod().metadata
  each(
    [
      { name: 'running', given: {}, phase: 'running' },
      { name: 'pending without a status', given: { status: {} }, phase: 'pending' },
      { name: 'finished', given: { status: { phase: 'Failed' as const } }, phase: 'finished' },
      {
        name: 'terminating',
        given: { metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } },
        phase: 'terminating',
      },
    ],
    ({ given, phase }) => assert.equal(facts(given).phase, phase),
  )

  void test('of a thousand containers each is looked at a few times', () => {
    const names = Array.from({ length: 1000 }, (_, i) => `c${i}`)
    let looks = 0
    const containerStatuses = names.map((name) => ({
      ...status(name),
      get name() {
        looks += 1
        return name
      },
    }))
    const spec = { containers: names.map((name) => ({ name })) }
    const many = { spec, status: { phase: 'Running', containerStatuses } } as const
    assert.equal(facts(many).containers.length, names.length)
    assert.equal(lastingContainers(pod(many)).length, names.length)
    startedAtOf(pod(many))
    assert.ok(looks <= 4 * names.length, `${looks} looks`)
  })

  void test('a mirror pod is static', () => {
    const annotations = { 'kubernetes.io/config.mirror': 'x' }
    assert.ok(facts({ metadata: { ...metadata, annotations } }).isStatic)
  })

  void test('what the pod as a whole asks for is told', () => {
    const spec = { ...pod().spec, resources: { requests: { cpu: '2' } } }
    const { hasPodResources, podRequest } = facts({ spec })
    assert.deepEqual([hasPodResources, podRequest], [true, 2000])
    assert.deepEqual([facts().hasPodResources, facts().podRequest], [false, undefined])
  })

  const guaranteed = { status: { ...pod().status, qosClass: 'Guaranteed' as const } }
  const managed = (policy: string) => {
    const exclusive = new Map([['u1', new Map([['app', [2, 3]]])]])
    return { nodeCpus: nodeCpus({ settings: managedBy(policy), exclusive }) }
  }
  each(
    [
      { name: 'under the static policy Guaranteed pods are fixed', given: guaranteed, fixed: true },
      { name: 'others are not', given: {}, fixed: false },
      { name: 'nor is any under another', given: guaranteed, policy: 'none', fixed: false },
    ],
    ({ given, policy = 'static', fixed }) =>
      assert.equal(facts(given, managed(policy)).isFixed, fixed),
  )

  each(
    [
      { name: 'what a Guaranteed pod was created with is told', given: guaranteed, first: 700 },
      { name: 'and any other', given: {}, first: 700 },
      {
        name: 'and what cannot be read is not known',
        given: guaranteed,
        original: '{"app":7}',
        first: undefined,
      },
    ],
    ({ given, original = '{"app":{"request":"700m","limit":"700m"}}', first }) => {
      const annotations = { [originalAnnotation]: original }
      const { containers } = facts({ ...given, metadata: { ...metadata, annotations } })
      assert.equal(containers[0]?.firstRequest, first)
    },
  )

  void test('CPUs of its own are told of the container that has them', () => {
    const { containers } = facts(guaranteed, managed('static'))
    assert.deepEqual(
      containers.map(({ exclusiveCpus }) => exclusiveCpus),
      [2, undefined, undefined],
    )
    const other = { ...guaranteed, metadata: { ...metadata, uid: 'u2' } }
    assert.equal(facts(other, managed('static')).containers[0]?.exclusiveCpus, undefined)
  })
})

void describe('the start of a pod', () => {
  const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`
  const begun = (name: string, second: number) =>
    status(name, { state: { running: { startedAt: at(second) } } })
  const startTime = at(1)
  each(
    [
      { name: 'is that of the pod before a container runs', given: { startTime }, second: 1 },
      {
        name: 'is that of the container that began last, sidecars among them',
        given: {
          startTime,
          containerStatuses: [begun('app', 3), begun('log', 4)],
          initContainerStatuses: [begun('setup', 9), begun('proxy', 5)],
        },
        second: 5,
      },
      {
        name: 'is that of the pod where no container tells it',
        given: { startTime, containerStatuses: [status('app')] },
        second: 1,
      },
    ],
    ({ given, second }) =>
      assert.equal(startedAtOf(pod({ status: given })), Date.parse(at(second))),
  )

  void test('is not known where nobody tells it', () => {
    assert.equal(startedAtOf(pod()), undefined)
    assert.equal(startedAtOf(pod({ status: { startTime: 'soon' } })), undefined)
  })
})

void describe('a resize that waits', () => {
  const since = '2026-01-01T00:00:40Z'
  const waiting: PodCondition = {
    type: 'PodResizePending',
    status: 'True',
    reason: 'Deferred',
    message: 'no room',
    lastTransitionTime: since,
  }
  const set = (name: string, requests: string, limits?: string) =>
    status(name, {
      resources: {
        requests: { cpu: requests },
        ...(limits !== undefined && { limits: { cpu: limits } }),
      },
    })
  const told = (conditions: readonly PodCondition[], app = set('app', '100m', '1')) =>
    pendingResizeOf(
      pod({
        status: {
          conditions,
          containerStatuses: [app, set('log', '50m', '500m')],
          initContainerStatuses: [set('setup', '900m', '900m'), set('proxy', '10m', '20m')],
        },
      }),
    )

  void test('is told with what is set in all that lasts', () => {
    assert.deepEqual(told([waiting]), {
      state: 'Deferred',
      message: 'no room',
      mark: String(Date.parse(since)),
      since: Date.parse(since),
      actuated: { request: 160, limit: 1520 },
    })
  })

  each(
    [
      { name: 'counts for what is in force', reason: 'Deferred', counts: [100, 100] },
      { name: 'also where it never can be', reason: 'Infeasible', counts: [100, 100] },
    ],
    ({ reason, counts }) => {
      const asked = { requests: { cpu: '3' }, limits: { cpu: '4' } }
      const { containers } = facts({
        spec: { containers: ['app', 'log'].map((name) => ({ name, resources: asked })) },
        status: {
          conditions: [{ ...waiting, reason }],
          containerStatuses: [set('app', '100m', '1'), set('log', '100m', '1')],
        },
      })
      assert.deepEqual(
        containers.map(({ request }) => request),
        counts,
      )
    },
  )

  void test('has a limit only where all have one', () => {
    assert.deepEqual(told([waiting], set('app', '100m'))?.actuated, { request: 160, limit: 160 })
  })

  void test('is another one when it is of another generation', () => {
    assert.equal(told([{ ...waiting, observedGeneration: 7 }])?.mark, '7')
  })

  each(
    [
      { name: 'is none without the condition', conditions: [] },
      { name: 'is none in progress', conditions: [{ ...waiting, type: 'PodResizeInProgress' }] },
      { name: 'is none that was', conditions: [{ ...waiting, status: 'False' as const }] },
      { name: 'is none of a kind that is not known', conditions: [{ ...waiting, reason: 'New' }] },
      { name: 'is none where nobody tells what is set', app: status('app') },
    ],
    ({ conditions = [waiting], app }) => assert.equal(told(conditions, app), undefined),
  )
})
