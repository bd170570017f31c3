import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { instantClock } from '../../../test/instant-clock.ts'
import {
  type Answer,
  answerPod,
  configFor,
  inTurn,
  kubeServer,
  messageOf,
  pod,
  pods,
  seenBy,
  sendStatus,
  withKube,
} from '../../../test/kube-server.ts'
import { ConnectionFailed } from '../../ports/kube.ts'
import { createKube } from './client.ts'

const a = { namespace: 'default', name: 'a' }
const reset: Answer = (_, response) => void response.socket?.destroy()
const fast = () => ({ clock: instantClock(), random: () => 0.5 })

void describe('adapters/kube: second tries', () => {
  void test('a 429 is tried again after Retry-After, also for a create', async () => {
    const busy: Answer = (_, response) =>
      sendStatus(response, 429, { headers: { 'retry-after': '3' } })
    const options = fast()
    await withKube(
      inTurn(busy, busy, answerPod),
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
      inTurn(reset, answerPod, reset, answerPod),
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
    const early = await kubeServer(answerPod)
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
      inTurn(half, answerPod),
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
        await seenBy(server, 2)
        stop.abort(new Error('shutting down'))
        assert.deepEqual(new Set(await Promise.all(ends)), new Set(['shutting down']))
        assert.equal(await messageOf(kube.get(pods, a, { signal: stop.signal })), 'shutting down')
      },
      { options: { maxSockets: 2 } },
    )
  })

  void test('who waits for a connection is not held up by its own abort or time limit', async () => {
    const options = { maxSockets: 1, timeoutMillis: 2000, retries: { attempts: 1 } }
    await withKube(
      () => {},
      async (kube, server) => {
        const stalled = messageOf(kube.get(pods, a))
        await seenBy(server, 1)
        const stop = new AbortController()
        const waiting = messageOf(kube.get(pods, a, { signal: stop.signal }))
        setImmediate(() => stop.abort(new Error('enough')))
        assert.equal(await Promise.race([waiting, stalled]), 'enough')
        assert.match(await stalled, /no answer within 2 s$/)
      },
      { options },
    )
  })

  void test('close ends what is under way and lets nothing begin', async () => {
    await withKube(
      () => {},
      async (kube, server) => {
        const get = messageOf(kube.get(pods, a))
        await seenBy(server, 1)
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
