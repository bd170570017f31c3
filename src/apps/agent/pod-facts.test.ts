import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import type { ContainerStatus, Pod } from '../../apis/pod.ts'
import { factsOf, placesOf } from './pod-facts.ts'
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

const facts = (given: Partial<Pod> = {}) => {
  const one = pod(given)
  return factsOf(one, readWishes(one).wishes, () => undefined)
}

void describe('the facts of a pod', () => {
  void test('containers and sidecars that run are measured, others are not', () => {
    assert.deepEqual(placesOf(pod()), [
      { podUid: 'u1', qosClass: 'Burstable', containerId: 'containerd://app' },
      { podUid: 'u1', qosClass: 'Burstable', containerId: 'containerd://proxy' },
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

  void test('a mirror pod is static', () => {
    const annotations = { 'kubernetes.io/config.mirror': 'x' }
    assert.ok(facts({ metadata: { ...metadata, annotations } }).isStatic)
  })
})

void describe('the wishes of a pod', () => {
  const read = (annotations: Record<string, string>, labels: Record<string, string> = {}) =>
    readWishes(pod({ metadata: { annotations, labels } }))
  const none = {
    isOptedOut: false,
    minCpu: undefined,
    maxCpu: undefined,
    priorityMultiplier: 1,
  }

  each(
    [
      { name: 'none', read: read({}), wishes: none },
      {
        name: 'all',
        read: read({
          'mbcas.io/managed': 'false',
          'mbcas.io/min-cpu': '0.2',
          'mbcas.io/max-cpu': '2',
          'mbcas.io/priority-multiplier': '2.5',
        }),
        wishes: { isOptedOut: true, minCpu: 200, maxCpu: 2000, priorityMultiplier: 2.5 },
      },
      {
        name: 'a label, unless an annotation says otherwise',
        read: read(
          { 'mbcas.io/min-cpu': '300m' },
          { 'mbcas.io/managed': 'false', 'mbcas.io/min-cpu': '100m' },
        ),
        wishes: { ...none, isOptedOut: true, minCpu: 300 },
      },
    ],
    ({ read, wishes }) => assert.deepEqual(read, { wishes, problems: [] }),
  )

  each(
    [
      {
        name: 'no quantity',
        annotations: { 'mbcas.io/min-cpu': 'lots' },
        says: /^ignoring mbcas.io\/min-cpu: parsing quantity "lots"/,
      },
      {
        name: 'no CPU at all',
        annotations: { 'mbcas.io/max-cpu': '0' },
        says: /^ignoring mbcas.io\/max-cpu: expected an amount of CPU above 0, got "0"$/,
      },
      {
        name: 'no number',
        annotations: { 'mbcas.io/priority-multiplier': '' },
        says: /^ignoring mbcas.io\/priority-multiplier: expected a number from 0.001 to 1000, got ""$/,
      },
      {
        name: 'a ceiling below the floor',
        annotations: { 'mbcas.io/min-cpu': '2', 'mbcas.io/max-cpu': '1' },
        says: /^ignoring mbcas.io\/max-cpu: it is below mbcas.io\/min-cpu$/,
      },
    ],
    ({ annotations, says }) => {
      const { problems } = read(annotations)
      assert.equal(problems.length, 1)
      assert.match(problems[0] ?? '', says)
    },
  )
})
