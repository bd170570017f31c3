/** A real Prometheus tells the latency of pods; stopped or killed it never keeps anybody waiting. */
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openPrometheus } from '../../src/adapters/prometheus/prometheus.ts'
import { systemClock as clock } from '../../src/adapters/system-clock.ts'
import { type LatencyNews, watchLatencies } from '../../src/apps/agent/latencies.ts'
import { registry } from '../../src/runtime/metrics.ts'
import { real, skipUnless } from '../real.ts'
import { until } from '../until.ts'
import { serveMetrics } from './metrics-page.ts'
import { startPrometheus } from './prometheus-server.ts'

const web = { namespace: 'shop', name: 'web.1' }
const api = { namespace: 'default', name: 'api-0' }
const idle = { namespace: 'shop', name: 'idle' }
const other = { namespace: 'shop', name: 'webx1' }
const never = new AbortController().signal

/** Between any two scrapes the same requests come, so that the quantile is known to the digit. */
function requests(): () => string {
  const metrics = registry()
  const took = metrics.histogram('http_request_duration_seconds', 'Time of a request.', {
    buckets: [0.05, 0.1, 0.25, 1, 2.5],
    labels: ['namespace', 'pod'],
  })
  const observe = ({ namespace, name }: typeof web, seconds: number, times: number): void => {
    for (let i = 0; i < times; i += 1) took.with({ namespace, pod: name }).observe(seconds)
  }
  observe(idle, 0.2, 100)
  return () => {
    observe(api, 0.2, 100)
    observe(web, 0.06, 95)
    observe(web, 2, 5)
    observe(other, 2, 5)
    return metrics.render()
  }
}

const skip = skipUnless(real.prometheus)

void test('a real Prometheus tells p99, and may be away', { skip }, async (t) => {
  const page = await serveMetrics(requests())
  t.after(page.close)
  const prometheus = await startPrometheus(page.address)
  t.after(prometheus.close)
  const source = openPrometheus({ url: prometheus.url, timeoutMillis: 500 }, clock)
  t.after(source.close)
  const counts: Record<LatencyNews, number> = { answered: 0, failed: 0, stale: 0, unusable: 0 }
  const stop = new AbortController()
  const pods = [web, api, idle]
  const latencies = watchLatencies(
    {
      source,
      pods: () => pods,
      clock,
      random: Math.random,
      log: () => {},
      count: (news, by) => (counts[news] += by),
    },
    { intervalMillis: 100, oldestMillis: 3000 },
    stop.signal,
  )
  t.after(async () => {
    stop.abort()
    await latencies.stopped
  })
  const young = () => {
    const known = latencies.of(web)
    return known !== undefined && known.ageMillis < 1000 ? known : undefined
  }
  /** Rises while nobody answers; every read is at once. */
  const ageAndLoss = async (): Promise<void> => {
    const aged = await until('an aged value', () => {
      const known = latencies.of(web)
      return known !== undefined && known.ageMillis > 1000 ? known : undefined
    })
    assert.equal(Math.round(aged.p99Millis), 2200)
    const { stale } = counts
    await until('no value', () => latencies.of(web) === undefined)
    assert.equal(counts.stale, stale + 2)
    assert.equal(latencies.of(api), undefined)
  }

  await until('a value', young)
  // All of (0.1, 0.25], 99 % of the way; 95 of 100 in lower buckets, 4 of the other 5 in (1, 2.5].
  assert.equal(Math.round((latencies.of(api)?.p99Millis ?? 0) * 10), 2485)
  assert.equal(Math.round(latencies.of(web)?.p99Millis ?? 0), 2200)
  assert.equal(latencies.of(idle), undefined, 'NaN: it has no requests')
  assert.equal(counts.unusable, 0)

  await t.test('only the pods asked for are in its answer', async () => {
    const { p99Millis } = await source.read([web], never)
    assert.deepEqual([...p99Millis.keys()], ['shop/web.1'])
  })

  await t.test('a wrong query is refused in its words', async () => {
    const wrong = openPrometheus({ url: prometheus.url, query: 'rate(up' }, clock)
    t.after(wrong.close)
    await assert.rejects(
      wrong.read([web], never),
      /^Error: asking http:\/\/127\.0\.0\.1:\d+\/ for rate\(up: expected 200, got 400: bad_data: .*unclosed left paren/,
    )
  })

  await t.test('a scalar is refused', async () => {
    const scalar = openPrometheus({ url: prometheus.url, query: 'scalar(up)' }, clock)
    t.after(scalar.close)
    await assert.rejects(scalar.read([web], never), /expected an instant vector .*, got a scalar$/)
  })

  await t.test('stopped, its values age and go; continued, they come back', async () => {
    prometheus.signal('SIGSTOP')
    await ageAndLoss()
    prometheus.signal('SIGCONT')
    await until('a value after SIGCONT', young)
  })

  await t.test('killed, its values age and go; started anew, they come back', async () => {
    await prometheus.kill()
    await ageAndLoss()
    prometheus.start()
    const { p99Millis } = await until('a value after the restart', young)
    assert.equal(Math.round(p99Millis), 2200)
  })

  await t.test('its failures were counted', () => {
    assert.ok(counts.failed >= 4, JSON.stringify(counts))
    t.diagnostic(JSON.stringify(counts))
  })
})
