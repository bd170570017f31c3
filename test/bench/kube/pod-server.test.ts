/** The pod server of the bench is what our client takes for an API server. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { createKube, type KubeClient } from '../../../src/adapters/kube/client.ts'
import { type Pod, pods } from '../../../src/apis/pod.ts'
import { certificates } from '../../certificates.ts'
import { projectPod } from '../../keep-in.ts'
import { configFor } from '../../kube-server.ts'
import { listVersion, type PodServer, startPodServer } from './pod-server.ts'
import { nameOf, namespaceOf } from './pods.ts'

const count = 10_000
const events = 1000

void describe("bench kube's pod server", () => {
  let server: PodServer
  let kube: KubeClient
  before(async () => {
    const { cert, key } = certificates().server
    server = await startPodServer({ pods: count, events, cert, key })
    kube = createKube(configFor(server.url), { limits: { read: 'unlimited' } })
  })
  after(async () => {
    kube.close()
    await server.close()
  })

  void test('lists 10,000 pods over pages, each once and in order', async () => {
    const names: string[] = []
    let next: string | undefined
    do {
      const page = await kube.list(pods, { limit: 3000, ...(next && { continue: next }) })
      assert.equal(page.resourceVersion, String(listVersion))
      names.push(...page.items.map(({ metadata }) => metadata.name ?? ''))
      next = page.next
    } while (next !== undefined)
    assert.deepEqual(
      names,
      Array.from({ length: count }, (_, i) => nameOf(i)),
    )
    assert.equal(new Set(names).size, count)
  })

  void test('a pod is of a usual size, whole, and found by its name', async () => {
    const at = { name: nameOf(42), namespace: namespaceOf(42) }
    const pod = await kube.get<Pod>(pods, at)
    assert.deepEqual(
      [pod.kind, pod.metadata.name, pod.metadata.namespace],
      ['Pod', at.name, at.namespace],
    )
    const size = JSON.stringify(pod).length
    assert.ok(size > 6200 && size < 6800, `${size} characters`)
    assert.equal(projectPod(pod).status?.containerStatuses?.length, 2)
    await assert.rejects(kube.get(pods, { name: 'nobody', namespace: 'team-0' }), /404 NotFound/)
  })

  void test('watches 1,000 events in order, then stays open; a later start tells the rest', async () => {
    const versionsFrom = async (from: number, expected: number) => {
      const stop = new AbortController()
      const query = { resourceVersion: String(from) }
      const seen: number[] = []
      for await (const event of kube.watch(pods, query, { signal: stop.signal })) {
        if (event.type !== 'MODIFIED') throw new Error(`expected MODIFIED, got ${event.type}`)
        seen.push(Number(event.object.metadata.resourceVersion))
        if (seen.length === expected) setTimeout(() => stop.abort(), 20)
      }
      return seen
    }
    const all = Array.from({ length: events }, (_, i) => listVersion + 1 + i)
    assert.deepEqual(await versionsFrom(listVersion, events), all)
    assert.deepEqual(await versionsFrom(listVersion + 990, 10), all.slice(990))
  })

  void test('counts the connections', async () => {
    const before = server.connections()
    const other = createKube(configFor(server.url))
    const at = { name: nameOf(0), namespace: namespaceOf(0) }
    await Promise.all([other.get(pods, at), other.get(pods, at)])
    other.close()
    assert.equal(server.connections() - before, 2)
  })
})
