import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { manualClock } from '../../test/manual-clock.ts'
import { memoryKube } from '../../test/memory-kube.ts'
import { type MarketSettings, marketSettings, settingsName } from '../apis/market-settings.ts'
import { ApiError, missingTypeWords } from '../ports/kube.ts'
import { watchSettings } from './cluster-settings.ts'

const named = { name: settingsName }

async function watching(isServed = true, mayRead = () => true) {
  const clock = manualClock()
  const lines: string[] = []
  const missing = { code: 404, reason: 'NotFound', said: missingTypeWords }
  const kube = memoryKube({
    before: () => {
      if (!isServed) throw new ApiError('list', missing)
      if (!mayRead()) throw new ApiError('list', { code: 403, reason: 'Forbidden', said: 'no' })
    },
  })
  const ended = new AbortController()
  let changes = 0
  const settings = watchSettings(
    {
      kube,
      clock,
      random: () => 0.5,
      log: (level, message, fields) => lines.push(`${level} ${message} ${JSON.stringify(fields)}`),
      signal: ended.signal,
    },
    () => (changes += 1),
  )
  await clock.advance(100)
  /** As another version than ours may understand it. */
  const set = async (spec: object): Promise<void> => {
    const found = (await kube.list(marketSettings)).items[0]
    const now = { metadata: { ...named, ...found?.metadata }, spec } as MarketSettings
    await (found ? kube.update(marketSettings, now) : kube.create(marketSettings, now))
    await clock.advance(100)
  }
  const stop = async (): Promise<void> => {
    ended.abort()
    await settings.stopped
  }
  return { ...settings, clock, kube, lines, set, stop, changes: () => changes }
}

void describe('runtime/cluster-settings', () => {
  void test('follows the object, and tells of changes; without it the defaults hold', async () => {
    const { current, hasSynced, set, kube, clock, changes, stop } = await watching()
    assert.deepEqual([hasSynced(), current().mode], [true, 'auto'])
    await set({ mode: 'recommend', excludedNamespaces: ['shop'] })
    assert.deepEqual(current(), { mode: 'recommend', excludedNamespaces: new Set(['shop']) })
    await kube.remove(marketSettings, named)
    await clock.advance(100)
    assert.deepEqual(current(), { mode: 'auto', excludedNamespaces: new Set() })
    assert.equal(changes(), 2)
    await stop()
  })

  void test('where the kind is not served, the defaults hold', async () => {
    const { current, hasSynced, stop } = await watching(false)
    assert.deepEqual([hasSynced(), current().mode], [true, 'auto'])
    await stop()
  })

  void test('keeps the last that could be read, and says so', async () => {
    const { current, set, lines, stop } = await watching()
    await set({ mode: 'off' })
    await set({ mode: 'weights' })
    assert.equal(current().mode, 'off')
    const said = lines.filter((line) => line.startsWith('warn'))
    assert.equal(said.length, 1)
    assert.match(said[0] ?? '', /expected spec\.mode to be off, recommend, auto, got .*weights/)
    await set({ mode: 'auto', excludedNamespaces: 'shop' })
    assert.equal(current().mode, 'off')
    await set({ mode: 'auto' })
    assert.equal(current().mode, 'auto')
    await stop()
  })

  void test('that nobody lets us read hold to recommend, and say so; once allowed the defaults hold', async () => {
    let mayRead = false
    const { current, hasSynced, fault, lines, clock, stop } = await watching(true, () => mayRead)
    assert.deepEqual([hasSynced(), current().mode], [true, 'recommend'])
    assert.match(fault() ?? '', /kubectl apply -f deploy\/rbac/)
    assert.equal(lines.filter((line) => line.includes('settings not readable')).length, 1)
    mayRead = true
    await clock.advance(6000)
    assert.deepEqual([current().mode, fault()], ['auto', undefined])
    await stop()
  })

  void test('touches nothing while none could be read yet', async () => {
    const { current, set, stop } = await watching()
    await set({ mode: 'weights' })
    assert.equal(current().mode, 'recommend')
    await stop()
  })
})
