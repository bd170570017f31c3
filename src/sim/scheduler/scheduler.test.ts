import assert from 'node:assert/strict'
import { test } from 'node:test'

import { each } from '../../../test/each.ts'
import {
  asking,
  classOf,
  conditionOf,
  container,
  furnishedApi,
  named,
  newPod,
  startsAt,
} from '../../../test/sim/kubelets.ts'
import { seededRandom } from '../../core/random.ts'
import { createAgenda } from '../create-agenda.ts'
import type { SimNodeSpec } from '../nodes/node.ts'
import type { SimPod, SimPodSpec } from '../nodes/pod.ts'
import { events, nodes, pods } from '../resources.ts'
import type { Extender } from './extender.ts'
import { nodesToFind } from './find-node.ts'
import { createScheduler } from './scheduler.ts'

type NewNode = {
  readonly cpu?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly spec?: SimNodeSpec
  readonly extended?: Readonly<Record<string, string>>
}

function start(given: Readonly<Record<string, NewNode>>, extenders: readonly Extender[] = []) {
  const agenda = createAgenda({ speed: 'max', startsAt })
  const api = furnishedApi(agenda)
  const by = { manager: 'test' }
  const addNode = (name: string, { cpu = '2', labels, spec = {}, extended }: NewNode = {}) => {
    const allocatable = { cpu, memory: '4Gi', pods: '110', ...extended }
    const metadata = { name, labels: { 'kubernetes.io/hostname': name, ...labels } }
    const object = { apiVersion: 'v1', kind: 'Node', metadata, spec, status: { allocatable } }
    const created = api.create(nodes, object, by)
    // Without the taint that a new node has until it is ready.
    return api.update(nodes, { ...created, spec }, by)
  }
  for (const [name, node] of Object.entries(given)) addNode(name, node)
  createScheduler({ api, agenda, random: seededRandom(1), extenders })
  return {
    api,
    agenda,
    addNode,
    pass: async (millis = 1000) => agenda.run({ until: agenda.now() + millis }),
    add: (name: string, spec: Partial<SimPodSpec> = {}, more: Parameters<typeof newPod>[0] = {}) =>
      api.create(pods, newPod({ ...more, name, spec }), by),
    pod: (name: string) => api.find(pods, { namespace: 'default', name }) as SimPod | undefined,
    nodeOf: (name: string) =>
      (api.find(pods, { namespace: 'default', name }) as SimPod | undefined)?.spec.nodeName,
  }
}

const required = <T>(terms: T) => ({ requiredDuringSchedulingIgnoredDuringExecution: terms })
const ofApp = (topologyKey: string) => [
  { topologyKey, labelSelector: { matchLabels: { app: 'a' } } },
]

void test('a pod is bound, its condition and event say so', async () => {
  const cluster = start({ n: {} })
  cluster.add('p')
  await cluster.pass()
  const condition = conditionOf(cluster.pod('p'), 'PodScheduled')
  assert.equal(cluster.nodeOf('p'), 'n')
  assert.equal(condition?.status, 'True')
  assert.equal(cluster.pod('p')?.metadata.generation, 1)
  const [event] = cluster.api.list(events)
  assert.equal(event?.['message'], 'Successfully assigned default/p to n')
})

const unfit: readonly {
  name: string
  nodes: Readonly<Record<string, NewNode>>
  spec?: Partial<SimPodSpec>
  message: string
}[] = [
  {
    name: 'no nodes',
    nodes: {},
    message: 'no nodes available to schedule pods',
  },
  {
    name: 'too little CPU on each',
    nodes: { a: {}, b: {} },
    spec: { containers: [asking('3')] },
    message:
      '0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
  },
  {
    name: 'a selector and a taint',
    nodes: {
      a: {},
      b: { labels: { disk: 'ssd' }, spec: { taints: [{ key: 'x', effect: 'NoSchedule' }] } },
      c: { labels: { disk: 'ssd' }, spec: { unschedulable: true } },
    },
    spec: { nodeSelector: { disk: 'ssd' } },
    message:
      "0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
  },
  {
    name: 'no such device',
    nodes: { a: { extended: { 'nvidia.com/gpu': '1' } } },
    spec: { containers: [container({ resources: { limits: { 'nvidia.com/gpu': '2' } } })] },
    message:
      '0/1 nodes are available: 1 Insufficient nvidia.com/gpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
  },
]
each(
  named('a pod that fits nowhere hears why:', unfit),
  async ({ nodes: given, spec, message }) => {
    const cluster = start(given)
    cluster.add('p', spec)
    await cluster.pass()
    const condition = conditionOf(cluster.pod('p'), 'PodScheduled')
    assert.deepEqual(
      [condition?.status, condition?.reason, condition?.observedGeneration, condition?.message],
      ['False', 'Unschedulable', 1, message],
    )
  },
)

const placed: readonly {
  name: string
  nodes: Readonly<Record<string, NewNode>>
  first?: readonly (readonly [string, Partial<SimPodSpec>])[]
  spec?: Partial<SimPodSpec>
  gives: string | undefined
}[] = [
  {
    name: 'the emptier node',
    nodes: { a: { cpu: '1' }, b: { cpu: '4' } },
    spec: { containers: [asking('500m')] },
    gives: 'b',
  },
  { name: 'the first name of equals', nodes: { b: {}, a: {} }, gives: 'a' },
  {
    name: 'the node that it selects',
    nodes: { a: {}, b: { labels: { disk: 'ssd' } } },
    spec: {
      affinity: {
        nodeAffinity: required({
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'disk', operator: 'In' as const, values: ['ssd'] }] },
          ],
        }),
      },
    },
    gives: 'b',
  },
  {
    name: 'a node whose taint it tolerates',
    nodes: { a: { spec: { taints: [{ key: 'x', effect: 'NoSchedule' }] } } },
    spec: { tolerations: [{ key: 'x', operator: 'Exists' }] },
    gives: 'a',
  },
  {
    name: 'the node of the pod it wants to be with',
    nodes: { a: {}, b: {} },
    first: [['x', { nodeName: 'b' }]],
    spec: { affinity: { podAffinity: required(ofApp('kubernetes.io/hostname')) } },
    gives: 'b',
  },
  {
    name: 'another node than the pod it wants to be away from',
    nodes: { a: {}, b: { cpu: '1' } },
    first: [['x', { nodeName: 'a' }]],
    spec: { affinity: { podAntiAffinity: required(ofApp('kubernetes.io/hostname')) } },
    gives: 'b',
  },
  {
    name: 'another zone than a pod that wants to be away from it',
    nodes: {
      a: { labels: { zone: '1' } },
      b: { labels: { zone: '1' } },
      c: { cpu: '1', labels: { zone: '2' } },
    },
    first: [['x', { nodeName: 'a', affinity: { podAntiAffinity: required(ofApp('zone')) } }]],
    gives: 'c',
  },
  {
    name: 'the zone with fewer, where the spread must hold',
    nodes: { a: { cpu: '8', labels: { zone: '1' } }, b: { labels: { zone: '2' } } },
    first: [['x', { nodeName: 'a' }]],
    spec: {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'zone',
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: 'a' } },
        },
      ],
    },
    gives: 'b',
  },
  {
    name: 'nowhere while it is gated',
    nodes: { a: {} },
    spec: { schedulingGates: [{ name: 'g' }] },
    gives: undefined,
  },
  {
    name: 'nowhere if it is another scheduler’s',
    nodes: { a: {} },
    spec: { schedulerName: 'x' },
    gives: undefined,
  },
]
each(named('a pod goes to', placed), async ({ nodes: given, first = [], spec, gives }) => {
  const cluster = start(given)
  const labels = { labels: { app: 'a' } }
  for (const [name, one] of first) cluster.add(name, one, labels)
  await cluster.pass()
  cluster.add('p', spec, labels)
  await cluster.pass()
  assert.equal(cluster.nodeOf('p'), gives)
})

void test('pods of one owner are spread', async () => {
  const cluster = start({ a: { cpu: '64' }, b: {}, c: {} })
  for (const name of ['p', 'q', 'r']) cluster.add(name, {}, { owner: 'rs' })
  await cluster.pass()
  assert.deepEqual(new Set(['p', 'q', 'r'].map(cluster.nodeOf)), new Set(['a', 'b', 'c']))
})

void test('pods are taken by priority', async () => {
  const cluster = start({})
  for (const [name, priority] of [
    ['low', 1],
    ['high', 9],
  ] as const) {
    cluster.add(name, { priorityClassName: classOf(priority), containers: [asking('1500m')] })
  }
  cluster.addNode('n')
  await cluster.pass(3000)
  assert.equal(cluster.nodeOf('high'), 'n')
  assert.equal(cluster.nodeOf('low'), undefined)
})

void test('a pod that failed is tried again when a pod goes', async () => {
  const cluster = start({ n: {} })
  cluster.add('first', { containers: [asking('1500m')], terminationGracePeriodSeconds: 0 })
  await cluster.pass()
  cluster.add('second', { containers: [asking('1500m')] })
  await cluster.pass(60_000)
  assert.equal(cluster.nodeOf('second'), undefined)
  cluster.api.remove(pods, { namespace: 'default', name: 'first' })
  await cluster.pass(12_000)
  assert.equal(cluster.nodeOf('second'), 'n')
})

void test('a pod of higher priority takes the place of the least important ones that make room', async () => {
  const cluster = start({ n: {} })
  const of = (cpu: string, priority: number) => ({
    containers: [asking(cpu)],
    priorityClassName: classOf(priority),
    terminationGracePeriodSeconds: 0,
  })
  cluster.add('small', of('500m', 1))
  cluster.add('middle', of('1', 2))
  await cluster.pass()
  cluster.add('high', of('1200m', 9))
  await cluster.pass(20_000)
  assert.equal(cluster.nodeOf('high'), 'n')
  assert.equal(cluster.pod('middle'), undefined)
  assert.equal(cluster.nodeOf('small'), 'n')
})

void test('an extender filters, scores and binds', async () => {
  const asked: string[] = []
  const extender: Extender = {
    filter: (_, given) => {
      asked.push(`filter ${given.map(({ metadata }) => metadata.name).join(' ')}`)
      return { fits: new Set(['b', 'c']), reasons: new Map([['a', 'no GPU']]) }
    },
    score: () => new Map([['c', 100]]),
    bind: (pod, node) => {
      asked.push(`bind ${pod.metadata.name} ${node.metadata.name}`)
      return false
    },
  }
  const cluster = start({ a: {}, b: {}, c: {} }, [extender])
  cluster.add('p')
  await cluster.pass()
  assert.equal(cluster.nodeOf('p'), 'c')
  assert.equal(asked[0]?.split(' ').toSorted().join(' '), 'a b c filter')
  assert.equal(asked[1], 'bind p c')
})

each(
  [
    { name: 'all of 50', all: 50, gives: 50 },
    { name: 'at least 100 of 150', all: 150, gives: 100 },
    { name: '42 % of 1000', all: 1000, gives: 420 },
    { name: '5 % of 10000', all: 10_000, gives: 500 },
  ],
  ({ all, gives }) => assert.equal(nodesToFind(all), gives),
)
