import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'

import {
  type Answer,
  answerPod,
  configFor,
  pod,
  pods,
  sendJson,
  withKube,
} from '../../../test/kube-server.ts'
import type { KubeObject } from '../../apis/object.ts'
import { type Page } from '../../ports/kube.ts'
import { createKube } from './client.ts'

const a = { namespace: 'default', name: 'a' }

void describe('adapters/kube: calls', () => {
  void test('a get is typed JSON and says who asks', async () => {
    await withKube(answerPod, async (kube, { seen }) => {
      assert.deepEqual(await kube.get(pods, a), pod('a'))
      assert.equal(seen[0]?.path, '/api/v1/namespaces/default/pods/a')
      assert.match(seen[0]?.headers['user-agent'] ?? '', /^mbcas\/\d+\.\d+\.\d+$/)
    })
  })

  void test('the time is that of a server whose clock is far from ours', async () => {
    const hour = 3_600_000
    const answer: Answer = (seen, response) => {
      response.setHeader('date', new Date(Date.now() - hour).toUTCString())
      answerPod(seen, response)
    }
    await withKube(answer, async (kube) => {
      const off = () => kube.serverWall() - Date.now()
      assert.ok(Math.abs(off()) < hour / 2, 'before it has answered')
      await kube.get(pods, a)
      assert.ok(off() < -hour / 2, `${off()} ms`)
    })
  })

  void test('a write sends its object, and a delete its preconditions', async () => {
    await withKube(answerPod, async (kube, { seen }) => {
      await kube.create(pods, pod('ä'))
      await kube.remove(pods, a, { uid: 'u' })
      assert.deepEqual(JSON.parse(seen[0]?.body ?? ''), {
        apiVersion: 'v1',
        kind: 'Pod',
        ...pod('ä'),
      })
      assert.match(seen[1]?.body ?? '', /"preconditions":\{"uid":"u"\}/)
    })
  })

  void test('a list comes in pages, compressed when it is large', async () => {
    const names = Array.from({ length: 5 }, (_, i) => `pod-${i}`)
    const pages: Answer = ({ query, headers }, response) => {
      assert.equal(headers['accept-encoding'], 'gzip')
      const [limit, from] = [Number(query.get('limit')), Number(query.get('continue') ?? 0)]
      const items = names.slice(from, from + limit).map((name) => pod(name))
      const next = from + limit < names.length ? String(from + limit) : ''
      sendJson(
        response,
        { items, metadata: { resourceVersion: '9', continue: next } },
        { gzip: true },
      )
    }
    await withKube(pages, async (kube) => {
      const found: string[] = []
      for (let next: string | undefined = ''; next !== undefined;) {
        const page: Page<KubeObject> = await kube.list(pods, { limit: 2, continue: next })
        assert.equal(page.resourceVersion, '9')
        found.push(...page.items.map(({ metadata }) => metadata.name ?? ''))
        next = page.next
      }
      assert.deepEqual(found, names)
    })
  })

  void test('a list without items is empty, and a plain path gives text', async () => {
    const answer: Answer = ({ path }, response) =>
      path === '/readyz'
        ? void response.end('ok')
        : sendJson(response, { items: null, metadata: {} })
    await withKube(answer, async (kube) => {
      assert.deepEqual(await kube.list(pods), {
        items: [],
        resourceVersion: '',
        next: undefined,
        bytes: 28,
      })
      assert.equal(await kube.raw('/readyz'), 'ok')
    })
  })

  void test('a server without TLS, such as kubectl proxy', async () => {
    const server = createServer((_, response) => sendJson(response, pod('a')))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const kube = createKube(configFor(`http://127.0.0.1:${port}`))
    assert.deepEqual(await kube.get(pods, a), pod('a'))
    kube.close()
    server.close()
  })

  void test('500 gets use at most 16 connections', async () => {
    await withKube(
      answerPod,
      async (kube, server) => {
        await Promise.all(Array.from({ length: 500 }, async () => kube.get(pods, a)))
        assert.ok(server.connections() <= 16, String(server.connections()))
        assert.equal(kube.stats().connections, server.connections())
        assert.equal(kube.stats().requests, 500)
      },
      { options: { limits: { read: 'unlimited' } } },
    )
  })

  void test('watches and leases do not wait for the connections of requests', async () => {
    const held: ServerResponse[] = []
    const answer: Answer = ({ path, query }, response) => {
      if (path.endsWith('/pods/a')) held.push(response)
      else if (query.has('watch')) response.write('{"type":"ADDED","object":{"metadata":{}}}\n')
      else sendJson(response, pod('a'))
    }
    const leases = { ...pods, group: 'coordination.k8s.io', plural: 'leases' }
    const stop = new AbortController()
    await withKube(
      answer,
      async (kube) => {
        const waiting = [1, 2, 3].map(async () => kube.get(pods, a))
        await kube.get(leases, a)
        for await (const event of kube.watch(pods, {}, stop)) {
          assert.equal(event.type, 'ADDED')
          stop.abort()
        }
        while (held.length < 3) {
          await new Promise((resolve) => setImmediate(resolve))
          for (const response of held) if (!response.writableEnded) sendJson(response, pod('a'))
        }
        await Promise.all(waiting)
      },
      { options: { maxSockets: 1 } },
    )
  })
})
