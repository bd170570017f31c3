import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import {
  conditionsOf,
  container,
  countsOf,
  startTestCluster,
} from '../../../test/sim/whole-cluster.ts'
import type { JsonObject } from '../apiserver/object.ts'
import { jobs, pods } from '../resources.ts'
import { writeIndexes, readIndexes } from './job-object.ts'

const job = (name: string, command: readonly string[], spec: JsonObject = {}) => ({
  metadata: { name },
  spec: {
    ...spec,
    template: {
      spec: {
        restartPolicy: 'Never',
        terminationGracePeriodSeconds: 1,
        containers: [container({ command })],
        ...(spec['template'] as JsonObject | undefined),
      },
    },
  },
})

const reached = 'CompletionsReached: Reached expected number of succeeded pods'
const exceeded = 'BackoffLimitExceeded: Job has reached the specified backoff limit'
const late = 'DeadlineExceeded: Job was active longer than specified deadline'

void describe('a Job', () => {
  each(
    [
      {
        name: 'ends once all have succeeded',
        spec: { completions: 3, parallelism: 2 },
        command: ['sleep', '2'],
        conditions: [`Complete True ${reached}`, `SuccessCriteriaMet True ${reached}`],
        counts: { succeeded: 3, ready: 0, terminating: 0 },
        last: 'Completed: Job completed',
      },
      {
        name: 'fails after too many failures',
        spec: { backoffLimit: 1 },
        command: ['false'],
        conditions: [`Failed True ${exceeded}`, `FailureTarget True ${exceeded}`],
        counts: { failed: 2, ready: 0, terminating: 0 },
        last: exceeded,
      },
      {
        name: 'counts the restarts of a pod that is tried again',
        spec: { backoffLimit: 1, template: { restartPolicy: 'OnFailure' } },
        command: ['false'],
        conditions: [`Failed True ${exceeded}`, `FailureTarget True ${exceeded}`],
        counts: { failed: 1, ready: 0, terminating: 0 },
        last: exceeded,
      },
      {
        name: 'fails at its deadline',
        spec: { activeDeadlineSeconds: 3 },
        command: ['sleep', '3600'],
        conditions: [`Failed True ${late}`, `FailureTarget True ${late}`],
        counts: { failed: 1, ready: 0, terminating: 0 },
        last: late,
      },
      {
        name: 'waits while it is suspended',
        spec: { suspend: true },
        command: ['sleep', '1'],
        conditions: ['Suspended True JobSuspended: Job suspended'],
        counts: { ready: 0, terminating: 0 },
        last: 'Suspended: Job suspended',
      },
    ],
    async ({ spec, command, conditions, counts, last }) => {
      const cluster = await startTestCluster(1)
      cluster.add(jobs, job('work', command, spec))
      await cluster.pass(60)
      const work = cluster.get(jobs, 'work')
      assert.deepEqual(conditionsOf(work), conditions)
      assert.deepEqual(countsOf(work), counts)
      assert.equal(cluster.events('work').at(-1), last)
      assert.ok(cluster.pods().every(({ metadata }) => metadata.finalizers === undefined))
    },
  )

  void test('never runs more pods at a time than it may', async () => {
    const cluster = await startTestCluster(1)
    let most = 0
    cluster.api.subscribe(jobs, ({ object }) => {
      most = Math.max(most, countsOf(object)['active'] ?? 0)
    })
    cluster.add(jobs, job('work', ['sleep', '2'], { completions: 6, parallelism: 2 }))
    await cluster.pass(60)
    assert.equal(most, 2)
    assert.equal(countsOf(cluster.get(jobs, 'work'))['succeeded'], 6)
  })

  void test('starts when it is resumed, and its time counts from then', async () => {
    const cluster = await startTestCluster(1)
    cluster.add(jobs, job('work', ['sleep', '1'], { suspend: true }))
    await cluster.pass(60)
    assert.deepEqual(cluster.pods(), [])
    cluster.edit(jobs, 'work', { suspend: false })
    await cluster.pass(20)
    assert.equal(cluster.status(jobs, 'work')['startTime'], '2026-01-01T00:01:05Z')
    assert.ok(
      conditionsOf(cluster.get(jobs, 'work')).includes('Suspended False JobResumed: Job resumed'),
    )
  })

  void test('with indexes runs one pod of each, which knows its own', async () => {
    const cluster = await startTestCluster(1)
    cluster.add(jobs, job('work', ['sleep', '1'], { completions: 3, completionMode: 'Indexed' }))
    await cluster.pass(60)
    assert.equal(cluster.status(jobs, 'work')['completedIndexes'], '0-2')
    const seen = cluster
      .pods('work')
      .map(({ metadata, spec }) => [
        metadata.name.slice(0, 7),
        metadata.labels?.['batch.kubernetes.io/job-completion-index'],
        (spec as { hostname?: string }).hostname,
      ])
    assert.deepEqual(
      seen,
      [0, 1, 2].map((i) => [`work-${i}-`, String(i), `work-${i}`]),
    )
  })

  void test('goes by itself some time after its end, with its pods', async () => {
    const cluster = await startTestCluster(1)
    cluster.add(jobs, job('work', ['true'], { ttlSecondsAfterFinished: 30 }))
    await cluster.pass(20)
    assert.notEqual(cluster.get(jobs, 'work'), undefined)
    await cluster.pass(40)
    assert.equal(cluster.get(jobs, 'work'), undefined)
    assert.deepEqual(cluster.pods(), [])
  })

  void test('a pod that somebody deletes counts as failed, and is replaced', async () => {
    const cluster = await startTestCluster(1)
    cluster.add(jobs, job('work', ['sleep', '30']))
    await cluster.pass(10)
    const [first] = cluster.pods()
    assert.ok(first)
    cluster.api.remove(pods, { namespace: 'default', name: first.metadata.name })
    await cluster.pass(120)
    const work = cluster.get(jobs, 'work')
    assert.deepEqual(countsOf(work), { succeeded: 1, failed: 1, ready: 0, terminating: 0 })
  })
})

void describe('a Job that asks for what is not simulated is refused:', () => {
  each(
    [
      { name: 'podFailurePolicy', value: { rules: [] } },
      { name: 'successPolicy', value: { rules: [{ succeededCount: 1 }] } },
      { name: 'backoffLimitPerIndex', value: 1 },
      { name: 'maxFailedIndexes', value: 1 },
    ],
    async ({ name, value }) => {
      const cluster = await startTestCluster(1)
      const spec = { completions: 2, completionMode: 'Indexed', [name]: value }
      const message = `Job.batch "work" is invalid: spec.${name}: Forbidden: not supported by the embedded cluster`
      assert.throws(() => cluster.add(jobs, job('work', ['true'], spec)), { code: 422, message })
    },
  )
})

void describe('completed indexes', () => {
  each(
    [
      { name: 'none', indexes: [], text: '' },
      { name: 'one', indexes: [4], text: '4' },
      { name: 'two in a row', indexes: [0, 1], text: '0,1' },
      { name: 'runs', indexes: [0, 1, 2, 4, 6, 7, 8], text: '0-2,4,6-8' },
    ],
    ({ indexes, text }) => {
      assert.equal(writeIndexes(indexes), text)
      assert.deepEqual(readIndexes(text), indexes)
    },
  )
})
