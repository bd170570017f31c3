import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import {
  type Answer,
  inTurn,
  messageOf,
  pods,
  seenBy,
  sendStatus,
  withKube,
} from '../../../test/kube-server.ts'
import type { KubeObject } from '../../apis/object.ts'
import { ApiError, type WatchEvent } from '../../ports/kube.ts'

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
      await seenBy(server, 1)
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
      setTimeout(() => response.end('{"type":"ADDED","object":{"metadata":{}}}\n'), 1800)
    }
    await withKube(
      answer,
      async (kube) => {
        assert.equal((await collect(kube.watch(pods, {}, { signal }))).length, 1)
      },
      { options: { timeoutMillis: 1500 } },
    )
  })
})
