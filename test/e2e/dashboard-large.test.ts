/** What the dashboard's server sends and keeps for 1,000 nodes and 10,000 pods. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import type { ClusterView, NodeTile } from '../../src/apis/dashboard.ts'
import { openEventStream } from '../dashboard/event-stream.ts'
import { fillKube, type LargeCluster, openLargeCluster } from '../dashboard/large-cluster.ts'
import { askHttp } from '../dashboard/stage.ts'

const MB = 1024 * 1024
const sizeOf = (value: unknown): number => JSON.stringify(value).length

void describe('1,000 nodes and 10,000 pods', () => {
  let large: LargeCluster
  let buffersBefore: number

  before(async () => {
    const kube = await fillKube(1000)
    buffersBefore = process.memoryUsage().arrayBuffers
    large = await openLargeCluster(kube)
  })
  after(async () => large.stop())

  void test('all are seen within half a minute, and a view of them is small', async () => {
    await large.pass(31)
    const answer = await askHttp(`${large.url}/api/cluster`)
    const view = answer.json() as unknown as ClusterView
    assert.deepEqual([view.totals.nodes, view.totals.pods], [1000, 10_000])
    assert.deepEqual(view.troubles, [])
    assert.ok(view.nodes.every(({ mode, trouble }) => mode === 'uncongested' && !trouble))
    assert.ok(sizeOf(view) < 300_000, `${sizeOf(view)} bytes`)
    assert.equal(view.suffering.length, 20)
  })

  void test('a second of changes is a small part of it', async () => {
    const stream = await openEventStream(`${large.url}/api/live/cluster`)
    await stream.next(({ event }) => event === 'view')
    await large.pass(1)
    const { event, data } = await stream.next()
    assert.equal(event, 'patch')
    assert.ok((data['nodes'] as NodeTile[]).length <= 34)
    assert.ok(sizeOf(data) < 30_000, `${sizeOf(data)} bytes`)
    stream.close()
  })

  void test('their histories take no more than is stated', async () => {
    await large.pass(120)
    const bytes = process.memoryUsage().arrayBuffers - buffersBefore
    assert.ok(bytes < 60 * MB, `${Math.round(bytes / MB)} MB`)
  })

  void test('a search among them gives the best fifty', async () => {
    const answer = await askHttp(`${large.url}/api/search?q=service-3`)
    const found = answer.json() as unknown as { pods: { key: string }[]; left: number }
    assert.deepEqual([found.pods.length, found.left], [50, 950])
    assert.ok(found.pods.every(({ key }) => key.startsWith('shop/service-3-')))
  })
})
