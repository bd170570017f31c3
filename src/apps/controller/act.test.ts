import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { notedWith, podObject } from '../../../test/controller-pods.ts'
import { each } from '../../../test/each.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { cpu, questionOf } from '../../../test/resizes.ts'
import type { ResizeDecision } from '../../core/resize/types.ts'
import { ApiError } from '../../ports/kube.ts'
import { registry } from '../../runtime/metrics.ts'
import { type Acting, CHANGED, resizePod } from './act.ts'
import { circumstancesOf } from './gather.ts'
import { controllerMetrics } from './metrics.ts'
import { createNodeLedger } from './node-ledger.ts'
import { createRefusals } from './refusals.ts'
import { seePod, type SeenPod } from './seen-pod.ts'
import { createSentResizes } from './sent-resizes.ts'
import { createStaleViews } from './stale-views.ts'

const { signal } = new AbortController()
const web = seePod(podObject())
const api = seePod(podObject({ metadata: { name: 'api', uid: 'uid-api' } }))
const decision: ResizeDecision = {
  action: 'resize',
  reason: 'Resizing',
  message: 'gets it',
  to: [cpu('app', 300, 400)],
  again: undefined,
}

function start(resize: () => Promise<string>) {
  const calls: string[] = []
  const freed: string[] = []
  const pods = new Map([web, api].map((pod) => [pod.key, pod]))
  const clock = manualClock()
  const metrics = registry()
  const ledger = createNodeLedger((key) => pods.get(key))
  for (const now of pods.values()) ledger.note({ type: 'added', key: now.key, now })
  const on: Acting = {
    writer: {
      recordOriginal: async () => {
        calls.push('record')
        return Promise.resolve('8')
      },
      dropOriginal: async ({ metadata }) => {
        calls.push(`drop ${metadata.resourceVersion}`)
        return Promise.resolve()
      },
      resize: async (_, { version }) => {
        calls.push(`resize ${version}, others of api ${ledger.othersOf(api)}m`)
        return resize()
      },
    },
    ledger,
    refusals: createRefusals(clock),
    sent: createSentResizes(clock, () => undefined),
    stale: createStaleViews(clock),
    metrics: controllerMetrics(metrics),
    freed: (node) => void freed.push(node),
  }
  const act = async (pod: SeenPod) =>
    resizePod(on, { pod, question: questionOf(undefined), decision }, signal)
  const counted = (result: string) => metrics.render().includes(`{result="${result}"} 1\n`)
  return { on, act, calls, freed, counted }
}

const refusing =
  (code: number, said: string, causes: ApiError['causes'] = []) =>
  async () =>
    Promise.reject(new ApiError('resizing', { code, reason: 'No', said, causes }))

void describe('apps/controller: carrying out a resize', () => {
  void test('the original values come first, and others count on no room that it takes', async () => {
    const { on, act, calls, counted } = start(async () => Promise.resolve('9'))
    const outcome = await act(web)
    assert.deepEqual(calls, ['record', 'resize 8, others of api 300m'])
    assert.ok(outcome !== CHANGED && outcome.attempted)
    assert.equal(on.ledger.othersOf(api), 300, 'until the cache shows it')
    assert.equal(on.sent.sinceResize(web), 0)
    assert.ok(counted('accepted'))
  })

  void test('what was noted once is not noted again', async () => {
    const { act, calls } = start(async () => Promise.resolve('9'))
    await act(seePod(podObject({ metadata: notedWith('{"app":{"request":"50m"}}') })))
    assert.deepEqual(calls, ['resize 7, others of api 300m'])
  })

  void test('what is known of a pod that lost its note is noted, and stays when it is refused', async () => {
    const { act, calls } = start(refusing(403, 'pods "web" is forbidden: exceeded quota'))
    await act({ ...web, original: [cpu('app', 50)] })
    assert.deepEqual(calls, ['record', 'resize 8, others of api 300m'])
  })

  void test('a pod that changed meanwhile is looked at again, and its room is free', async () => {
    const { on, act, freed, counted } = start(
      refusing(
        409,
        'the object has been modified; please apply your changes to the latest version',
      ),
    )
    assert.equal(await act(web), CHANGED)
    assert.equal(on.ledger.othersOf(api), 100)
    assert.deepEqual(freed, ['node-0'])
    assert.equal(on.stale.waitFor(web), 500)
    assert.ok(counted('conflict'))
  })

  void test('a refusal is remembered and told, and nothing is left on the pod', async () => {
    const said =
      'pods "web" is forbidden: node didn\'t have enough allocatable resources: cpu, requested: 64000, allocatable: 4000'
    const causes = [{ reason: 'NodeCapacity', message: said }]
    const { on, act, calls, counted } = start(refusing(403, said, causes))
    const outcome = await act(web)
    assert.ok(outcome !== CHANGED)
    assert.deepEqual([outcome.phase, outcome.reason], ['Failed', 'NodeCapacity'])
    const recalled = on.refusals.recall(web.uid, circumstancesOf(questionOf(undefined)))
    assert.deepEqual(recalled?.values, decision.to)
    assert.equal(calls.at(-1), 'drop 8')
    assert.ok(counted('refused'))
  })

  each(
    [
      { name: 'a server in trouble', answer: refusing(500, 'etcdserver: request timed out') },
      { name: 'no answer', answer: async () => Promise.reject(new Error('no connection')) },
    ],
    async ({ answer }) => {
      const { on, act, counted } = start(answer)
      await assert.rejects(act(web))
      assert.equal(on.ledger.othersOf(api), 300, 'it may have been done')
      assert.ok(counted('failed'))
    },
  )
})
