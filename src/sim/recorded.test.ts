/** Recordings on a whole cluster: from a scenario to what containers do. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { loadAnnotation } from '../apis/load.ts'
import { readScenario } from '../apis/read-scenario.ts'
import { parseRecording } from '../apis/recording.ts'
import { createCluster, type SimCluster } from './cluster.ts'
import type { SimPod } from './nodes/pod.ts'
import { events, pods } from './resources.ts'
import { playScenario, scenarioStart } from './scenario.ts'

const recordings = new Map(
  Object.entries({
    'jobs.csv': 'seconds,cores\n0,2\n20,0\n40,1\n',
    'web.csv': 'seconds,rate\n0,100\n20,0\n40,50\n',
  }).map(([name, text]) => [name, parseRecording(text, name)]),
)

function stage(given: object, seed = 1): SimCluster {
  const scenario = readScenario({ nodes: [{ count: 1, cpus: 8 }], ...given })
  const { nodes = [] } = scenario
  const cluster = createCluster({ nodes, seed, speed: 'max', startsAt: scenarioStart })
  const onFault = (error: Error): never => assert.fail(error)
  playScenario(cluster, { ...scenario, recordings, seed }, { onFault })
  return cluster
}

const usedSeconds = ({ kernels }: SimCluster): number =>
  (kernels.get('node-0')?.usedMicros() ?? NaN) / 1e6

/** CPU seconds used between the moments. */
async function usedUpTo(cluster: SimCluster, moments: readonly number[]): Promise<number[]> {
  const used: number[] = []
  let before = 0
  for (const until of moments) {
    await cluster.agenda.run({ until: until * 1000 })
    const now = usedSeconds(cluster)
    used.push(Math.round((now - before) * 10) / 10)
    before = now
  }
  return used
}

const podOf = ({ api }: SimCluster): SimPod => {
  const [pod] = api.list(pods) as readonly SimPod[]
  assert.ok(pod !== undefined)
  return pod
}

function annotate(cluster: SimCluster, load: string): void {
  const { name, namespace } = podOf(cluster).metadata
  const answer = cluster.handle({
    method: 'PATCH',
    path: `/api/v1/namespaces/${namespace}/pods/${name}`,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ metadata: { annotations: { [loadAnnotation]: load } } }),
  })
  assert.ok(answer.kind === 'whole' && answer.status === 200)
}

void describe('a recorded load', () => {
  void test('is done as it was recorded, from the moment at which a phase says so', async () => {
    const cluster = stage({
      workloads: [{ name: 'jobs' }],
      phases: [{ name: 'work', at: '100s', loads: { jobs: 'recorded file=jobs.csv' } }],
    })
    const [idle = NaN, ...work] = await usedUpTo(cluster, [100, 120, 140, 160, 180])
    assert.ok(idle < 0.5)
    assert.deepEqual(work, [40, 0, 20, 20])
  })

  void test('serves as many requests as were recorded', async () => {
    const load = 'recorded file=web.csv speed=0.1 cpu=10ms threads=4'
    const cluster = stage({
      workloads: [{ name: 'web', load: 'idle cpu=0' }],
      phases: [{ name: 'day', at: '10s', loads: { web: load } }],
    })
    const [before, first = NaN, none, second = NaN] = await usedUpTo(cluster, [10, 210, 410, 610])
    assert.equal(before, 0)
    // 20,000 requests and 10,000, give or take five standard deviations.
    assert.ok(Math.abs(first - 200) <= 7.1, `${first}`)
    assert.ok((none ?? NaN) < 0.2, `${none}`)
    assert.ok(Math.abs(second - 100) <= 5.2, `${second}`)
  })

  void test('has requests of its own in each pod, the same whoever else is there', async () => {
    const web = { name: 'web', replicas: 2, load: 'recorded file=web.csv cpu=10ms' }
    const textsOf = async (workloads: readonly object[]): Promise<string[]> => {
      const cluster = stage({ workloads })
      await cluster.agenda.run({ until: 10_000 })
      return (cluster.api.list(pods) as readonly SimPod[])
        .filter(({ metadata }) => metadata.labels?.['app'] === 'web')
        .map(({ metadata }) => metadata.annotations?.[loadAnnotation] ?? '')
        .toSorted()
    }
    const alone = await textsOf([web])
    assert.equal(new Set(alone).size, 2)
    for (const text of alone) assert.match(text, /^recorded file=web\.csv cpu=10ms seed=\d+$/)
    assert.deepEqual(await textsOf([{ name: 'other', load: 'recorded file=jobs.csv' }, web]), alone)
  })

  void test('of which there is no recording is refused, no file is read, and a good one is followed', async () => {
    const cluster = stage({ workloads: [{ name: 'jobs', load: 'steady cpu=1' }] })
    await cluster.agenda.run({ until: 10_000 })
    annotate(cluster, 'recorded file=/etc/passwd')
    const [before] = await usedUpTo(cluster, [20])
    assert.ok((before ?? NaN) > 15, 'it goes on as it did')
    const told = cluster.api.list(events) as unknown as {
      reason: string
      message: string
    }[]
    assert.deepEqual(
      told.filter(({ reason }) => reason === 'LoadRefused').map(({ message }) => message),
      [
        `parsing load "recorded file=/etc/passwd": there is no recording "/etc/passwd" in this cluster's scenario`,
      ],
    )
    annotate(cluster, 'recorded file=jobs.csv')
    const now = usedSeconds(cluster)
    await cluster.agenda.run({ until: 40_000 })
    assert.equal(Math.round(usedSeconds(cluster) - now), 40)
  })
})
