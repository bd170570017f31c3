import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { certificates } from '../../../test/certificates.ts'
import { instantClock } from '../../../test/instant-clock.ts'
import {
  type Answer,
  configFor,
  kubeServer,
  messageOf,
  pod,
  pods,
  sendJson,
  sendStatus,
  withKube,
} from '../../../test/kube-server.ts'
import type { KubeObject } from '../../apis/object.ts'
import { ApiError, ConnectionFailed, type Page, type WatchEvent } from '../../ports/kube.ts'
import { createKube } from './client.ts'

const folder = mkdtempSync(join(tmpdir(), 'mbcas-client-'))
after(() => rmSync(folder, { recursive: true }))

const a = { namespace: 'default', name: 'a' }
const ok: Answer = (_, response) => sendJson(response, pod('a'))

/** Answers in turn; the last one for all that follow. */
function inTurn(...answers: readonly Answer[]): Answer {
  let count = 0
  return (request, response) => {
    const answer = answers[Math.min(count, answers.length - 1)]
    count += 1
    answer?.(request, response)
  }
}

const reset: Answer = (_, response) => void response.socket?.destroy()
const fast = () => ({ clock: instantClock(), random: () => 0.5 })

void describe('adapters/kube: calls', () => {
  void test('a get is typed JSON and says who asks', async () => {
    await withKube(ok, async (kube, { seen }) => {
      assert.deepEqual(await kube.get(pods, a), pod('a'))
      assert.equal(seen[0]?.path, '/api/v1/namespaces/default/pods/a')
      assert.match(seen[0]?.headers['user-agent'] ?? '', /^mbcas\/\d+\.\d+\.\d+$/)
    })
  })

  void test('a write sends its object, and a delete its preconditions', async () => {
    await withKube(ok, async (kube, { seen }) => {
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
      assert.deepEqual(await kube.list(pods), { items: [], resourceVersion: '', next: undefined })
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
      ok,
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

void describe('adapters/kube: second tries', () => {
  void test('a 429 is tried again after Retry-After, also for a create', async () => {
    const busy: Answer = (_, response) =>
      sendStatus(response, 429, { headers: { 'retry-after': '3' } })
    const options = fast()
    await withKube(
      inTurn(busy, busy, ok),
      async (kube, { seen }) => {
        await kube.create(pods, pod('a'))
        assert.equal(seen.length, 3)
        assert.equal(kube.stats().retries, 2)
        assert.deepEqual(options.clock.slept, [3050, 3100])
      },
      { options },
    )
  })

  void test('a broken connection: a get is tried again, a create is not', async () => {
    await withKube(
      inTurn(reset, ok, reset, ok),
      async (kube, { seen, url }) => {
        assert.deepEqual(await kube.get(pods, a), pod('a'))
        await assert.rejects(kube.create(pods, pod('a')), (error) => {
          assert.ok(error instanceof ConnectionFailed)
          assert.ok(error.sent)
          assert.equal(
            error.message,
            `creating pods default/a on ${url}: the connection broke before the answer was complete`,
          )
          return true
        })
        assert.equal(seen.length, 3)
      },
      { options: fast() },
    )
  })

  void test('a server that is not there yet: a create is tried again, since it was not sent', async () => {
    const early = await kubeServer(ok)
    await early.close()
    const kube = createKube(configFor(early.url), fast())
    const message = await messageOf(kube.create(pods, pod('a')))
    assert.match(message, /connection refused: .* \(5 tries in \d+\.\d s\)$/)
  })

  void test('an answer that breaks off is tried again', async () => {
    const half: Answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      response.write('{"metadata"', () => response.socket?.destroy())
    }
    await withKube(
      inTurn(half, ok),
      async (kube) => {
        assert.deepEqual(await kube.get(pods, a), pod('a'))
      },
      { options: fast() },
    )
  })

  void test('no answer in time', async () => {
    const options = { ...fast(), timeoutMillis: 60, retries: { attempts: 2 } }
    await withKube(
      () => {},
      async (kube, { url }) => {
        const message = await messageOf(kube.get(pods, a))
        assert.match(
          message,
          new RegExp(`^getting pods default/a on ${url}: no answer within 0\\.06 s \\(2 tries`),
        )
        assert.equal(kube.stats().requests, 2)
      },
      { options },
    )
  })

  void test('an answer that begins and then hangs is no answer in time', async () => {
    const options = { timeoutMillis: 100, retries: { attempts: 1 } }
    const hang: Answer = (_, response) => void response.write('{')
    await withKube(
      hang,
      async (kube) => {
        assert.match(await messageOf(kube.get(pods, a)), /no answer within 0\.1 s$/)
      },
      { options },
    )
  })
})

void describe('adapters/kube: aborts and the end', () => {
  void test('an abort gives its own reason, before, in and after the queue', async () => {
    await withKube(
      () => {},
      async (kube, server) => {
        const stop = new AbortController()
        const calls = Array.from({ length: 20 }, async () =>
          kube.get(pods, a, { signal: stop.signal }),
        )
        const ends = calls.map(async (call) => messageOf(call))
        while (server.seen.length < 2) await new Promise((resolve) => setImmediate(resolve))
        stop.abort(new Error('shutting down'))
        assert.deepEqual(new Set(await Promise.all(ends)), new Set(['shutting down']))
        assert.equal(await messageOf(kube.get(pods, a, { signal: stop.signal })), 'shutting down')
      },
      { options: { maxSockets: 2 } },
    )
  })

  void test('who waits for a connection is not held up by its own abort or time limit', async () => {
    const options = { maxSockets: 1, timeoutMillis: 200, retries: { attempts: 1 } }
    await withKube(
      () => {},
      async (kube, server) => {
        const stalled = messageOf(kube.get(pods, a))
        while (server.seen.length < 1) await new Promise((resolve) => setImmediate(resolve))
        const stop = new AbortController()
        const waiting = messageOf(kube.get(pods, a, { signal: stop.signal }))
        setImmediate(() => stop.abort(new Error('enough')))
        assert.equal(await Promise.race([waiting, stalled]), 'enough')
        assert.match(await stalled, /no answer within 0\.2 s$/)
      },
      { options },
    )
  })

  void test('close ends what is under way and lets nothing begin', async () => {
    await withKube(
      () => {},
      async (kube, server) => {
        const get = messageOf(kube.get(pods, a))
        while (server.seen.length < 1) await new Promise((resolve) => setImmediate(resolve))
        kube.close()
        assert.match(await get, /the client (was|is) closed/)
        assert.match(
          await messageOf(kube.get(pods, a)),
          /^getting pods default\/a on .*: the client is closed$/,
        )
      },
    )
  })
})

void describe('adapters/kube: watches', () => {
  const collect = async (watch: AsyncIterable<WatchEvent<KubeObject>>) => {
    const events: WatchEvent<KubeObject>[] = []
    for await (const event of watch) events.push(event)
    return events
  }
  const { signal } = new AbortController()

  void test('ends when the server ends it', async () => {
    const answer: Answer = ({ query, headers }, response) => {
      assert.equal(query.get('resourceVersion'), '5')
      assert.equal(headers['accept-encoding'], undefined)
      response.write('{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n{"type":"BOOK')
      setImmediate(() => response.end('MARK","object":{"metadata":{"resourceVersion":"9"}}}\n'))
    }
    await withKube(answer, async (kube) => {
      assert.deepEqual(await collect(kube.watch(pods, { resourceVersion: '5' }, { signal })), [
        { type: 'ADDED', object: { metadata: { name: 'a' } } },
        { type: 'BOOKMARK', resourceVersion: '9' },
      ])
    })
  })

  void test('throws when it is refused, when it breaks, and on an ERROR event', async () => {
    const expired = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' }
    const answers = inTurn(
      (_, response) => sendStatus(response, 410, { reason: 'Expired', message: 'too old' }),
      (_, response) =>
        void response.write('{"type":"ADDED","object":{"metadata":{}}}\n', () =>
          response.socket?.destroy(),
        ),
      (_, response) => void response.end(`${JSON.stringify({ type: 'ERROR', object: expired })}\n`),
    )
    await withKube(answers, async (kube, { url }) => {
      const watch = async () => collect(kube.watch(pods, {}, { signal }))
      assert.equal(await messageOf(watch()), `watching pods on ${url}: 410 Expired: too old`)
      assert.match(await messageOf(watch()), /^watching pods on .*: the connection broke before/)
      await assert.rejects(watch(), (error) => error instanceof ApiError && error.code === 410)
    })
  })

  void test('an abort ends it quietly, also before its first event; so does who stops reading', async () => {
    const silent: Answer = (_, response) => response.writeHead(200).flushHeaders()
    await withKube(silent, async (kube, server) => {
      const stop = new AbortController()
      const watch = collect(kube.watch(pods, {}, stop))
      while (server.seen.length < 1) await new Promise((resolve) => setImmediate(resolve))
      stop.abort()
      assert.deepEqual(await watch, [])
      assert.deepEqual(await collect(kube.watch(pods, {}, stop)), [])
    })
    let closed: Promise<unknown> | undefined
    const talkative: Answer = (_, response) => {
      closed = new Promise((resolve) => response.once('close', resolve))
      response.write('{"type":"ADDED","object":{"metadata":{}}}\n')
    }
    await withKube(talkative, async (kube) => {
      for await (const _ of kube.watch(pods, {}, { signal })) break
      await closed
    })
  })

  void test('may be silent for longer than a request may take', async () => {
    const answer: Answer = (_, response) => {
      response.writeHead(200).flushHeaders()
      setTimeout(() => response.end('{"type":"ADDED","object":{"metadata":{}}}\n'), 300)
    }
    await withKube(
      answer,
      async (kube) => {
        assert.equal((await collect(kube.watch(pods, {}, { signal }))).length, 1)
      },
      { options: { timeoutMillis: 200 } },
    )
  })
})

void describe('adapters/kube: rotation', () => {
  const onlyToken =
    (token: () => string): Answer =>
    ({ headers }, response) =>
      headers.authorization === `Bearer ${token()}`
        ? sendJson(response, pod('a'))
        : sendStatus(response, 401, { reason: 'Unauthorized', message: 'Unauthorized' })

  void test('a token that was replaced is noticed at the 401, also by a create', async () => {
    const file = join(folder, 'token')
    writeFileSync(file, 'one')
    let good = 'one'
    const user = {
      ...configFor('').user,
      secret: { kind: 'token', token: { file, name: 'the token of the test' } },
    } as const
    await withKube(
      onlyToken(() => good),
      async (kube, { seen, url }) => {
        await kube.get(pods, a)
        writeFileSync(file, 'two')
        good = 'two'
        await kube.create(pods, pod('a'))
        assert.deepEqual(
          seen.map(({ method, headers }) => `${method} ${headers.authorization}`),
          ['GET Bearer one', 'POST Bearer one', 'POST Bearer two'],
        )
        good = 'three'
        assert.equal(
          await messageOf(kube.get(pods, a)),
          `getting pods default/a on ${url}: 401 Unauthorized: Unauthorized; the token of the test (${file}) is expired or wrong: put a new one there`,
        )
      },
      { config: { user } },
    )
  })

  void test('an unreadable token is told with the request', async () => {
    const user = {
      ...configFor('').user,
      secret: { kind: 'token', token: { file: folder, name: 'the token of the test' } },
    } as const
    await withKube(
      ok,
      async (kube, { url, seen }) => {
        const message = await messageOf(kube.get(pods, a))
        assert.ok(
          message.startsWith(
            `getting pods default/a on ${url}: the token of the test: reading ${folder}: it is a folder`,
          ),
          message,
        )
        assert.equal(seen.length, 0)
      },
      { config: { user } },
    )
  })

  void test('a CA that was replaced is noticed when the server is not trusted', async () => {
    const { ca, otherCa } = certificates()
    const file = join(folder, 'ca.crt')
    writeFileSync(file, otherCa.cert)
    await withKube(
      ok,
      async (kube, server) => {
        assert.match(await messageOf(kube.get(pods, a)), /is not signed by the CA in/)
        writeFileSync(file, ca.cert)
        assert.deepEqual(await kube.get(pods, a), pod('a'))
        assert.equal(server.seen.length, 1)
      },
      { config: { ca: { file, name: 'the CA' } } },
    )
  })

  void test('a client certificate that was replaced is used from the next connection on', async () => {
    const { client, server: other } = certificates()
    const [certFile, keyFile] = [join(folder, 'c.crt'), join(folder, 'c.key')]
    const save = (pair: typeof client) => {
      writeFileSync(certFile, pair.cert)
      writeFileSync(keyFile, pair.key)
    }
    save(client)
    const certificate = {
      certificate: { file: certFile, name: 'certificate' },
      key: { file: keyFile, name: 'key' },
    }
    const options = fast()
    await withKube(
      ok,
      async (kube, { seen }) => {
        await kube.get(pods, a)
        await kube.get(pods, a)
        save(other)
        options.clock.advance(60_000)
        await kube.get(pods, a)
        assert.deepEqual(
          seen.map((one) => one.client),
          ['client', 'client', 'server'],
        )
        assert.equal(kube.stats().connections, 2)
      },
      { config: { user: { ...configFor('').user, certificate } }, options },
    )
  })
})
