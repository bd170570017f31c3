import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { manualClock } from '../../../test/manual-clock.ts'
import type { StreamOut } from '../../runtime/http-server.ts'
import { createLive, type Source } from './live.ts'
import { allTime, type Range } from './record.ts'

type View = { readonly at: number; readonly value: number; readonly points: readonly number[] }

/** Points at 1, 2, 3 ... up to `at`. */
function scene() {
  const world: { view: { at: number; value: number } | undefined } = { view: { at: 3, value: 1 } }
  const source: Source<View> = {
    read: ({ from, to }: Range) => {
      const { view } = world
      if (view === undefined) return undefined
      const all = Array.from({ length: view.at }, (_, i) => i + 1)
      return { ...view, points: all.filter((at) => at >= from && at <= to) }
    },
    patch: (before, now) => {
      if (now.value < 0) return 'whole'
      const isOther = before.value !== now.value || now.points.length > 0
      return isOther ? { at: now.at, value: now.value, points: now.points } : undefined
    },
    newestAt: ({ points }) => points.at(-1),
  }
  const clock = manualClock()
  const live = createLive(clock)
  const join = (range = allTime) => {
    const client = listener()
    const reply = live.open('it', source, range)
    assert.ok(reply !== undefined && typeof reply.body === 'function')
    reply.body(client.out)
    return client
  }
  return { world, live, clock, join }
}

function listener() {
  const heard: string[] = []
  let close = () => {}
  const state = { waiting: 0, isEnded: false, isCut: false }
  const out: StreamOut = {
    write: (text) => void heard.push(text),
    waitingBytes: () => state.waiting,
    end: () => {
      state.isEnded = true
    },
    cut: () => {
      state.isCut = true
    },
    onClose: (then) => {
      close = then
    },
  }
  /** What came since it was last asked for. */
  const news = (): unknown[] =>
    heard.splice(0).map((text) => {
      const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)\n\n$/.exec(text) ?? []
      return event === '' ? text : [event, JSON.parse(data)]
    })
  return { out, state, news, close: () => close() }
}

void describe('live views', () => {
  void test('the whole first, then what changed', () => {
    const { world, live, join } = scene()
    const client = join()
    assert.deepEqual(client.news(), [['view', { at: 3, value: 1, points: [1, 2, 3] }]])
    live.turn()
    assert.deepEqual(client.news(), [])
    world.view = { at: 5, value: 2 }
    live.turn()
    assert.deepEqual(client.news(), [['patch', { at: 5, value: 2, points: [4, 5] }]])
  })

  void test('whoever comes later gets all that the others know, and nothing twice', () => {
    const { world, live, join } = scene()
    const first = join()
    first.news()
    world.view = { at: 4, value: 1 }
    const second = join({ from: 3, to: Infinity })
    assert.deepEqual(first.news(), [['patch', { at: 4, value: 1, points: [4] }]])
    assert.deepEqual(second.news(), [['view', { at: 4, value: 1, points: [3, 4] }]])
    world.view = { at: 5, value: 1 }
    live.turn()
    const patch = [['patch', { at: 5, value: 1, points: [5] }]]
    assert.deepEqual([first.news(), second.news()], [patch, patch])
  })

  void test('a beat after five seconds of silence', async () => {
    const { live, clock, join } = scene()
    const client = join()
    client.news()
    await clock.advance(4999)
    live.turn()
    assert.deepEqual(client.news(), [])
    await clock.advance(1)
    live.turn()
    assert.deepEqual(client.news(), [['beat', { at: 3 }]])
    live.turn()
    assert.deepEqual(client.news(), [])
  })

  void test('what goes is told, and told whole when it comes back', () => {
    const { world, live, join } = scene()
    const client = join()
    client.news()
    world.view = undefined
    live.turn()
    live.turn()
    assert.deepEqual(client.news(), [['gone', { at: 3 }]])
    world.view = { at: 4, value: 7 }
    live.turn()
    assert.deepEqual(client.news(), [['view', { at: 4, value: 7, points: [1, 2, 3, 4] }]])
  })

  void test('what no patch can say is told whole, to each in its range', () => {
    const { world, live, join } = scene()
    const client = join({ from: 2, to: Infinity })
    client.news()
    world.view = { at: 3, value: -1 }
    live.turn()
    assert.deepEqual(client.news(), [['view', { at: 3, value: -1, points: [2, 3] }]])
  })

  void test('until anything is known, a stream waits', () => {
    const { world, live, join } = scene()
    world.view = undefined
    const client = join()
    assert.deepEqual(client.news(), [': nothing is known yet\n\n'])
    world.view = { at: 1, value: 1 }
    live.turn()
    assert.deepEqual(client.news(), [['view', { at: 1, value: 1, points: [1] }]])
  })

  void test('nothing is read for those who went, and who does not read is cut off', () => {
    const { world, live, join } = scene()
    const slow = join()
    const other = join()
    slow.state.waiting = 9 * 1024 * 1024
    world.view = { at: 4, value: 1 }
    live.turn()
    assert.deepEqual([slow.state.isCut, other.state.isCut], [true, false])
    assert.deepEqual(live.names(), ['it'])
    slow.close()
    other.close()
    assert.deepEqual(live.names(), [])
  })

  void test('two hundred may look, and all are sent away at the end', () => {
    const { live, join } = scene()
    const clients = Array.from({ length: 200 }, () => join())
    const source = { read: () => undefined, patch: () => undefined, newestAt: () => undefined }
    assert.equal(live.open('more', source, allTime), undefined)
    live.close()
    assert.ok(clients.every(({ state }) => state.isEnded))
  })
})
