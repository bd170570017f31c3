import assert from 'node:assert/strict'
import { test } from 'node:test'

import { each } from '../../../test/each.ts'
import { container, startTestCluster } from '../../../test/sim/whole-cluster.ts'
import { Refusal } from '../apiserver/refusal.ts'
import { pods } from '../resources.ts'
import { readLog } from './logs.ts'

const load = { 'sim.mbcas.io/load': 'steady cpu=300m' }
const one = [container()]
const two = [container(), container({ name: 'side' })]

each(
  [
    {
      name: 'a running container says what it does',
      containers: one,
      gives: '2026-01-01T00:00:08Z simulated container: steady cpu=300m threads=1\n',
    },
    {
      name: 'one of two is asked for',
      containers: two,
      query: 'container=side',
      gives: '2026-01-01T00:00:08Z simulated container: steady cpu=300m threads=1\n',
    },
    {
      name: 'one of two must be asked for',
      containers: two,
      refuses: 'a container name must be specified for pod p, choose one of: [main side]',
    },
    {
      name: 'a container that is not there',
      containers: one,
      query: 'container=x',
      refuses: 'container x is not valid for pod p',
    },
    {
      name: 'a container that did not run before',
      containers: one,
      query: 'previous=true',
      refuses: 'previous terminated container "main" in pod "p" not found',
    },
  ],
  async ({ containers, query = '', gives, refuses }) => {
    const cluster = await startTestCluster(1)
    cluster.add(pods, { metadata: { name: 'p', annotations: load }, spec: { containers } })
    await cluster.pass(30)
    const pod = cluster.get(pods, 'p')
    assert.ok(pod)
    const read = () => readLog(pod, new URLSearchParams(query))
    if (refuses === undefined) assert.match(read(), new RegExp(gives.slice(20)))
    else assert.throws(read, new Refusal({ code: 400, reason: 'BadRequest', message: refuses }))
  },
)

void test('a container that waits says why it has no log', async () => {
  const cluster = await startTestCluster(1)
  cluster.add(pods, { metadata: { name: 'p' }, spec: { containers: one, nodeName: 'node-0' } })
  const pod = cluster.get(pods, 'p')
  assert.ok(pod)
  assert.throws(() => readLog(pod, new URLSearchParams()), {
    message: 'container "main" in pod "p" is waiting to start: ContainerCreating',
  })
})

void test('nothing can be run in a simulated container', async () => {
  const cluster = await startTestCluster(1)
  const path = '/api/v1/namespaces/default/pods/p/exec?command=ls'
  const answer = cluster.handle({ method: 'POST', path, headers: {} })
  assert.equal(answer.kind === 'whole' && answer.status, 501)
})
