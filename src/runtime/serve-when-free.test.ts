import assert from 'node:assert/strict'
import { test } from 'node:test'

import { manualClock } from '../../test/manual-clock.ts'
import { until } from '../../test/until.ts'
import { serveHttp } from './http-server.ts'
import { serveWhenFree } from './serve-when-free.ts'

const host = '127.0.0.1'
const quiet = () => undefined
const now = AbortSignal.abort()

void test('a port that is taken is served once it is free, and said once', async () => {
  const other = await serveHttp({ host, port: 0, routes: {}, log: quiet })
  const { port } = other
  const clock = manualClock()
  const said: string[] = []
  const serving = serveWhenFree({
    serve: async () => serveHttp({ host, port, routes: {}, log: quiet }),
    clock,
    log: (level, message) => void said.push(`${level} ${message}`),
    signal: new AbortController().signal,
  })
  const waits = async () => until('a wait', () => clock.sleeping() === 1)
  await waits()
  await clock.advance(5000)
  await waits()
  await other.close(now)
  await clock.advance(5000)
  const server = await serving
  assert.equal(server?.port, port)
  await server.close(now)
  assert.deepEqual(said, ['warn not serving until the port is free'])
})

void test('the end of the process ends the wait', async () => {
  const other = await serveHttp({ host, port: 0, routes: {}, log: quiet })
  const clock = manualClock()
  const stop = new AbortController()
  const serve = async () => serveHttp({ host, port: other.port, routes: {}, log: quiet })
  const serving = serveWhenFree({ serve, clock, log: quiet, signal: stop.signal })
  await until('a wait', () => clock.sleeping() === 1)
  stop.abort()
  assert.equal(await serving, undefined)
  await other.close(now)
})

void test('what waiting does not mend is thrown at once', async () => {
  const serve = async () => serveHttp({ host: '192.0.2.1', port: 0, routes: {}, log: quiet })
  const signal = new AbortController().signal
  const serving = serveWhenFree({ serve, clock: manualClock(), log: quiet, signal })
  await assert.rejects(serving, /192\.0\.2\.1 is no address of this machine/)
})
