import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import * as v from 'valibot'

import { each } from '../../test/each.ts'
import { scenarioFile } from '../apis/scenario-file.ts'
import { createCluster } from './cluster.ts'
import { configMaps } from './resources.ts'
import { playScenario } from './scenario.ts'

const shown = (value: string, name = 'a') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { value },
})

type Steps = NonNullable<v.InferInput<typeof scenarioFile>['steps']>

/** What was there at each of the moments, and what went wrong. */
async function play(given: Steps, moments: readonly number[] = []) {
  const { steps, nodes = [] } = v.parse(scenarioFile, { nodes: [{ count: 1 }], steps: given })
  const cluster = createCluster({ nodes, seed: 1, speed: 'max', startsAt: 0 })
  const wrong: string[] = []
  playScenario(cluster, { steps }, { onFault: (error) => wrong.push(error.message) })
  const seen: string[][] = []
  for (const until of [...moments, 60_000]) {
    await cluster.agenda.run({ until })
    const maps = cluster.api.list(configMaps, 'default')
    const own = maps.filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt')
    seen.push(own.map((map) => JSON.stringify((map as unknown as { data: unknown }).data)))
  }
  return { seen: seen.slice(0, moments.length), wrong, cluster }
}

void describe('a scenario', () => {
  void test('applies, changes and deletes, each at its moment', async () => {
    const { seen, wrong } = await play(
      [
        { at: '30s', delete: [shown('')] },
        { at: '10s', apply: [shown('one')] },
        { at: '20s', apply: [shown('two')] },
      ],
      [9999, 10_000, 20_000, 30_000],
    )
    assert.deepEqual(seen, [[], ['{"value":"one"}'], ['{"value":"two"}'], []])
    assert.deepEqual(wrong, [])
  })

  void test('plants faults, and ends them, but does not meet them itself', async () => {
    const faultsAt = async (steps: Steps) => {
      const { cluster, wrong } = await play(steps)
      const answer = cluster.handle({ method: 'GET', path: '/api/v1/pods', headers: {} })
      return { status: answer.kind === 'whole' ? answer.status : 0, wrong }
    }
    const broken = { at: '1s', faults: [{ kind: 'error' as const }] }
    const applied = { at: '2s', apply: [shown('one')] }
    assert.deepEqual(await faultsAt([broken, applied]), { status: 500, wrong: [] })
    assert.deepEqual(await faultsAt([broken, { at: '2s', faults: [] }]), { status: 200, wrong: [] })
  })

  each(
    [
      {
        name: 'says which step applies what is not served',
        step: { at: '1s', apply: [{ ...shown(''), kind: 'ConfigMop' }] },
        says: 'scenario: step 2: expected a kind that is served, got v1 ConfigMop',
      },
      {
        name: 'says which step applies what is refused',
        step: { at: '1s', apply: [shown('', 'Bad_Name')] },
        says: /^scenario: step 2: ConfigMap "Bad_Name" is invalid: metadata\.name: Invalid value/,
      },
      {
        name: 'says which step deletes what is not there',
        step: { at: '1s', delete: [shown('', 'gone')] },
        says: 'scenario: step 2: configmaps "gone" not found',
      },
    ],
    async ({ step, says }) => {
      const { wrong } = await play([{ at: '0s' }, step])
      assert.equal(wrong.length, 1)
      if (typeof says === 'string') assert.equal(wrong[0], says)
      else assert.match(wrong[0] ?? '', says)
    },
  )

  void test('with a node that is not there is refused before it begins', async () => {
    await assert.rejects(
      play([{ at: '1s' }, { at: '999h', restoreNodes: ['nodo-0'] }]),
      /^InvalidInput: scenario: step 2: expected a node of this cluster, got nodo-0; did you mean node-0\?$/,
    )
  })
})
