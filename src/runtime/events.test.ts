import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { manualClock, settled } from '../../test/manual-clock.ts'
import { type Hooks, memoryKube } from '../../test/memory-kube.ts'
import { events } from '../apis/event.ts'
import { nodes } from '../apis/node.ts'
import { pods } from '../apis/pod.ts'
import { millis } from '../core/units.ts'
import { correlation, type Occurrence } from './events-series.ts'
import { eventRecorder, referenceTo } from './events.ts'

const minute = 60_000
const never = new AbortController().signal
const pod = { metadata: { name: 'api', namespace: 'shop', uid: 'u1' }, spec: { containers: [] } }
const applied: Occurrence = {
  about: referenceTo(pods, pod),
  type: 'Normal',
  reason: 'CPUApplied',
  message: 'limit 500m -> 750m',
}
const saying = (message: string): Occurrence => ({ ...applied, message })

function recording(hooks: Hooks = {}) {
  const clock = manualClock({ wall: Date.UTC(2026, 0, 1) })
  const requests: string[] = []
  const kube = memoryKube({
    ...hooks,
    before: async (request) => {
      requests.push(request.verb)
      await hooks.before?.(request)
    },
  })
  const logged: string[] = []
  const log = (level: string, message: string) => void logged.push(`${level} ${message}`)
  const recorder = eventRecorder({ kube, clock, log, component: 'mbcas-test' })
  const stored = async () => {
    await recorder.flush(never)
    return (await kube.list(events)).items
  }
  return { clock, kube, requests, logged, recorder, stored }
}

void describe('runtime/events', () => {
  void test('an event tells who, what, when and about whom', async () => {
    const { recorder, stored } = recording()
    recorder.record(applied)
    const [event] = await stored()
    assert.ok(event)
    const { metadata, apiVersion, kind, ...rest } = event
    assert.equal(metadata.namespace, 'shop')
    assert.match(metadata.name ?? '', /^api\.[0-9a-f]+$/)
    assert.deepEqual([apiVersion, kind], ['v1', 'Event'])
    assert.deepEqual(rest, {
      involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'api', uid: 'u1' },
      type: 'Normal',
      reason: 'CPUApplied',
      message: 'limit 500m -> 750m',
      count: 1,
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:00:00Z',
      source: { component: 'mbcas-test' },
      reportingComponent: 'mbcas-test',
      reportingInstance: '',
    })
  })

  void test('what repeats raises the count, and after ten minutes is told anew', async () => {
    const { clock, recorder, stored } = recording()
    recorder.record(applied)
    await stored()
    await clock.advance(10 * minute)
    recorder.record(applied)
    const [repeated, ...others] = await stored()
    assert.deepEqual(others, [])
    assert.equal(repeated?.count, 2)
    assert.equal(repeated.lastTimestamp, '2026-01-01T00:10:00Z')
    await clock.advance(10 * minute + 1)
    recorder.record(applied)
    assert.deepEqual(
      (await stored()).map(({ count }) => count),
      [2, 1],
    )
  })

  void test('other types, reasons and objects are other events', async () => {
    const { recorder, stored } = recording()
    recorder.record(applied)
    recorder.record({ ...applied, type: 'Warning' })
    recorder.record({ ...applied, reason: 'CPUSkipped' })
    recorder.record({ ...applied, about: { ...applied.about, uid: 'u2' } })
    assert.deepEqual(
      (await stored()).map(({ count }) => count),
      [1, 1, 1, 1],
    )
  })

  void test('from the eleventh message on they are combined', async () => {
    const { recorder, stored } = recording()
    for (let i = 1; i <= 13; i += 1) recorder.record(saying(`message ${i}`))
    recorder.record(saying('message 3'))
    const all = await stored()
    assert.equal(all.length, 11)
    const { message, count } = all.find(({ message }) => message.startsWith('(')) ?? {}
    assert.deepEqual([message, count], ['(combined from similar events): message 13', 3])
    assert.equal(all.find(({ message }) => message === 'message 3')?.count, 2)
  })

  void test('an object has a burst of 25, then one every five minutes; the count stays right', async () => {
    const { clock, requests, recorder, stored } = recording()
    for (let i = 0; i < 40; i += 1) {
      recorder.record(applied)
      await recorder.flush(never)
    }
    assert.equal(requests.length, 25)
    recorder.record({ ...applied, about: { ...applied.about, name: 'other' } })
    await clock.advance(5 * minute)
    recorder.record(applied)
    recorder.record(applied)
    assert.deepEqual(
      (await stored()).map(({ count }) => count),
      [41, 1],
    )
    assert.equal(requests.filter((verb) => verb !== 'list').length, 27)
  })

  void test('recording does not wait, and what repeats meanwhile is one request', async () => {
    let open = () => {}
    const gate = new Promise<void>((resolve) => (open = resolve))
    const { requests, recorder, stored } = recording({ before: async () => gate })
    for (let i = 0; i < 20; i += 1) recorder.record(applied)
    await settled()
    assert.deepEqual(requests, ['create'])
    open()
    assert.deepEqual(
      (await stored()).map(({ count }) => count),
      [20],
    )
    assert.deepEqual(requests, ['create', 'patch', 'list'])
  })

  void test('an event that the server has forgotten is made anew', async () => {
    const { kube, recorder, stored } = recording()
    recorder.record(applied)
    const [first] = await stored()
    await kube.remove(events, { namespace: 'shop', name: first?.metadata.name ?? '' })
    recorder.record(applied)
    assert.deepEqual(
      (await stored()).map(({ count }) => count),
      [2],
    )
  })

  void test('a refusal is logged and the next one goes on', async () => {
    let isAway = true
    const { logged, recorder, stored } = recording({
      before: () => {
        if (isAway) throw new Error('no server')
      },
    })
    recorder.record(applied)
    await recorder.flush(never)
    assert.deepEqual(logged, ['warn recording an event failed'])
    isAway = false
    recorder.record(applied)
    assert.deepEqual(
      (await stored()).map(({ count }) => count),
      [2],
    )
  })

  void test('an answer that was lost leads to no second event', async () => {
    let isLost = true
    const { recorder, stored } = recording({
      after: ({ verb }) => {
        if (isLost && verb === 'create') throw new Error('connection reset')
      },
    })
    recorder.record(applied)
    await recorder.flush(never)
    isLost = false
    recorder.record(applied)
    assert.deepEqual(
      (await stored()).map(({ count }) => count),
      [2],
    )
  })

  void test('giving up a flush ends it, with the server silent', async () => {
    const { recorder, logged } = recording({ before: async () => new Promise(() => {}) })
    for (const message of ['a', 'b', 'c']) recorder.record(saying(message))
    const grace = new AbortController()
    const flushed = recorder.flush(grace.signal)
    grace.abort()
    await flushed
    assert.deepEqual(logged, ['warn recording an event failed'])
  })

  void test('what has no namespace has its events in default; long names and texts are cut', async () => {
    const { recorder, stored } = recording()
    const name = `${'n'.repeat(200)}-${'-'.repeat(52)}`
    recorder.record({
      ...applied,
      about: referenceTo(nodes, { metadata: { name } }),
      message: 'x'.repeat(2000),
    })
    const [event] = await stored()
    assert.equal(event?.metadata.namespace, 'default')
    assert.match(event.metadata.name ?? '', /^n{200}\.[0-9a-f]+$/)
    assert.equal(event.message.length, 1024)
  })

  void test('a law: every occurrence is counted once, whatever comes when', () => {
    const occurrence = fc.record({
      name: fc.constantFrom('a', 'b'),
      message: fc.integer({ min: 0, max: 15 }).map(String),
      after: fc.integer({ min: 0, max: 20 * minute }),
    })
    fc.assert(
      fc.property(fc.array(occurrence, { maxLength: 100 }), (all) => {
        const { note } = correlation()
        let now = 0
        const seen = new Set<{ count: number }>()
        let spent = 0
        for (const { name, message, after } of all) {
          now += after
          const about = { ...applied.about, name }
          const time = { now: millis(now), wall: millis(now) }
          const series = note({ ...applied, about, message }, time)
          if (series) seen.add(series)
          else spent += 1
        }
        const counted = [...seen].reduce((sum, { count }) => sum + count, 0)
        assert.ok(counted <= all.length && counted >= all.length - spent)
      }),
    )
  })
})
