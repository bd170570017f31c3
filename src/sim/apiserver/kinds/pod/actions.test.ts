import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../../../test/each.ts'
import type { ApiObject, JsonObject } from '../../object.ts'
import { Refusal } from '../../refusal.ts'
import type { ActionRequest } from '../../resource-type.ts'
import { bindPod } from './binding.ts'
import { evictPod } from './eviction.ts'

const meta = (name: string, more: object = {}) => ({
  name,
  namespace: 'd',
  uid: 'u',
  resourceVersion: '7',
  creationTimestamp: '2026-01-01T00:00:00Z',
  ...more,
})
const labels = { app: 'x' }
const podWith = (spec: object = {}, more: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: meta('p', { labels }),
  spec: { containers: [{ name: 'a' }], ...spec },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  ...more,
})
const budget = (status: object, spec: object = {}): ApiObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: meta('b', { generation: 1 }),
  spec: { selector: { matchLabels: labels }, ...spec },
  status: { observedGeneration: 1, ...status },
})

/** What was written by it, or why not. */
function act(
  action: (asked: ActionRequest) => void,
  asked: {
    object?: ApiObject
    body?: JsonObject
    budgets?: readonly ApiObject[]
    dryRun?: boolean
  },
) {
  const { object = podWith(), body = {}, budgets = [], dryRun = false } = asked
  const stored: ApiObject[] = []
  const removed: unknown[] = []
  try {
    action({
      object,
      body: { metadata: { name: 'p' }, ...body },
      dryRun,
      at: { now: 0, find: () => undefined, all: () => budgets },
      put: (_, one) => {
        stored.push(one)
        return one
      },
      remove: (by) => removed.push(by),
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { stored, removed, refused: error }
  }
  return { stored, removed, refused: undefined }
}

void describe('sim/apiserver/kinds/pod/binding', () => {
  const target = { kind: 'Node', name: 'n' }

  void test('a pod is given its node, and is scheduled from then on', () => {
    const { stored } = act(bindPod, {
      object: podWith({}, { status: { phase: 'Pending', nominatedNodeName: 'm' } }),
      body: { target },
    })
    assert.deepEqual(stored[0]?.spec, { containers: [{ name: 'a' }], nodeName: 'n' })
    assert.deepEqual(stored[0]?.status, {
      phase: 'Pending',
      conditions: [
        {
          type: 'PodScheduled',
          status: 'True',
          lastProbeTime: null,
          lastTransitionTime: '1970-01-01T00:00:00Z',
        },
      ],
    })
  })

  each<{ name: string; object?: ApiObject; body?: JsonObject; code: number; said: string }>(
    [
      {
        name: 'one that has a node keeps it',
        object: podWith({ nodeName: 'o' }),
        code: 409,
        said: 'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "o"',
      },
      {
        name: 'one that waits at a gate goes on waiting',
        object: podWith({ schedulingGates: [{ name: 'g' }] }),
        code: 409,
        said: 'Operation cannot be fulfilled on pods/binding "p": pod p has non-empty .spec.schedulingGates',
      },
      {
        name: 'one that is being deleted gets none',
        object: podWith({}, { metadata: meta('p', { deletionTimestamp: 'x' }) }),
        code: 409,
        said: 'Operation cannot be fulfilled on pods/binding "p": pod p is being deleted, cannot be assigned to a host',
      },
      {
        name: 'a target is needed, and it is a node',
        body: { target: { kind: 'Nod' } },
        code: 500,
        said: '[target.kind: Unsupported value: "Nod": supported values: "Node", "<empty>", target.name: Required value]',
      },
      {
        name: 'the names must agree',
        body: { metadata: { name: 'q' } },
        code: 400,
        said: 'name in URL does not match name in Binding object',
      },
    ],
    ({ object, body, code, said }) => {
      const { stored, refused } = act(bindPod, {
        ...(object && { object }),
        body: { target, ...body },
      })
      assert.deepEqual([refused?.code, refused?.message, stored], [code, said, []])
    },
  )
})

void describe('sim/apiserver/kinds/pod/eviction', () => {
  const unready = podWith({}, { status: { phase: 'Running' } })
  const enough = { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2 }
  const short = { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 2 }

  void test('takes one from the budget, says why on the pod, and deletes it', () => {
    const { stored, removed } = act(evictPod, {
      budgets: [budget({ disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1 })],
      body: { deleteOptions: { gracePeriodSeconds: 3 } },
    })
    const [paid, marked] = stored as ApiObject<unknown, JsonObject>[]
    assert.equal(paid?.status?.['disruptionsAllowed'], 0)
    assert.deepEqual(paid?.status?.['disruptedPods'], { p: '1970-01-01T00:00:00Z' })
    assert.deepEqual(marked?.status?.['conditions'], [
      { type: 'Ready', status: 'True' },
      {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'EvictionByEvictionAPI',
        message: 'Eviction API: evicting',
        lastProbeTime: null,
        lastTransitionTime: '1970-01-01T00:00:00Z',
      },
    ])
    assert.deepEqual(removed, [{ graceSeconds: 3, dryRun: false }])
  })

  void test('a dry run writes nothing', () => {
    const { stored, removed } = act(evictPod, {
      budgets: [budget({ disruptionsAllowed: 1 })],
      dryRun: true,
    })
    assert.deepEqual([stored, removed], [[], [{ dryRun: true }]])
  })

  void test('a budget that has none left refuses, in so many words', () => {
    const { refused, removed } = act(evictPod, { budgets: [budget(short)] })
    assert.deepEqual(removed, [])
    assert.equal(refused?.code, 429)
    assert.equal(refused?.reason, 'TooManyRequests')
    assert.equal(
      refused?.message,
      "Cannot evict pod as it would violate the pod's disruption budget.",
    )
    assert.deepEqual(refused?.details?.causes, [
      {
        reason: 'DisruptionBudget',
        message: 'The disruption budget b needs 2 healthy pods and has 1 currently',
      },
    ])
  })

  void test('two budgets are more than it can serve', () => {
    const { refused } = act(evictPod, { budgets: [budget(enough), budget(enough)] })
    assert.equal(refused?.code, 500)
    assert.equal(
      refused?.message,
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    )
  })

  each<{ name: string; object?: ApiObject; budget: ApiObject; code?: number }>(
    [
      {
        name: 'a pod that is not ready goes while enough are',
        object: unready,
        budget: budget(enough),
      },
      { name: 'but not while they are short', object: unready, budget: budget(short), code: 429 },
      {
        name: 'unless the budget says that it may',
        object: unready,
        budget: budget(short, { unhealthyPodEvictionPolicy: 'AlwaysAllow' }),
      },
      {
        name: 'one that has not begun goes',
        object: podWith({}, { status: { phase: 'Pending' } }),
        budget: budget(short),
      },
      {
        name: 'one that is over goes',
        object: podWith({}, { status: { phase: 'Failed' } }),
        budget: budget(short),
      },
      {
        name: 'a budget of other pods does not matter',
        budget: budget(short, { selector: { matchLabels: { app: 'y' } } }),
      },
      {
        name: 'a budget of all pods does',
        budget: budget(short, { selector: {} }),
        code: 429,
      },
      {
        name: 'a budget that its controller has not seen yet refuses',
        budget: budget({ disruptionsAllowed: 1, observedGeneration: 0 }),
        code: 429,
      },
    ],
    ({ object, budget: one, code }) => {
      const { refused, removed } = act(evictPod, { ...(object && { object }), budgets: [one] })
      assert.equal(refused?.code, code)
      assert.equal(removed.length, code === undefined ? 1 : 0)
    },
  )
})
