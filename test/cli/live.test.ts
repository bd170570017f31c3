/** `mbcas top` with a screen that a test can read, on an embedded cluster in simulated time. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { nodeMarkets } from '../../src/apis/node-market.ts'
import { explain } from '../../src/apps/cli/explain/explain.ts'
import { plain } from '../../src/apps/cli/paint.ts'
import { runLive } from '../../src/apps/cli/top/live.ts'
import { readTop } from '../../src/apps/cli/top/top.ts'
import { ConnectionFailed } from '../../src/ports/kube.ts'
import type { ScreenEvents } from '../../src/ports/screen.ts'
import { onSite, type Site } from '../site.ts'
import { furnish } from './furnish.ts'

type Live = {
  /** The screen as it is. */
  readonly shown: () => string
  readonly press: (key: string) => Promise<void>
  readonly resize: (columns: number, rows: number) => void
  /** From now on nothing can be read, or it can again. */
  readonly breaks: (isBroken: boolean) => void
  readonly isOpen: () => boolean
  readonly ended: Promise<void>
}

function startLive({ kube, cluster, pass }: Site, isThere = true): Live {
  const { clock } = cluster.agenda
  const screen = { lines: [] as readonly string[], isOpen: true, columns: 80, rows: 20 }
  const keyboard: { events?: ScreenEvents } = {}
  let isBroken = !isThere
  const asking = { kube, clock, namespace: undefined, usual: 'default', entries: '' }
  const ended = runLive({
    openScreen: (events) => {
      keyboard.events = events
      return {
        size: () => screen,
        draw: (lines) => (screen.lines = lines),
        close: () => (screen.isOpen = false),
      }
    },
    clock,
    paint: plain,
    intervalMillis: 2000,
    wish: { kind: 'nodes' },
    read: async (wish) => {
      if (isBroken) throw new ConnectionFailed('connection refused', { sent: false, passing: true })
      return readTop({ kube, clock }, wish)
    },
    explain: async (pod, width) =>
      (await explain('pod', asking, pod)).text({ width, isWide: false, paint: plain }),
  })
  return {
    shown: () => screen.lines.join('\n'),
    press: async (key) => {
      keyboard.events?.onKey(key)
      await pass(1)
    },
    resize: (columns, rows) => {
      Object.assign(screen, { columns, rows })
      keyboard.events?.onResize()
    },
    breaks: (broken) => (isBroken = broken),
    isOpen: () => screen.isOpen,
    ended,
  }
}

const rowsIn = (text: string): string[] => [...text.matchAll(/^node-\d/gm)].map(([name]) => name)

void describe('mbcas top on a screen', () => {
  void test('shows nodes, their pods, a pod, and ends by q with the screen closed', async () => {
    await onSite({ nodes: 3 }, async (site) => {
      await furnish(site.kube, site.cluster.agenda.clock.wall())
      await site.pass(60)
      const { shown, press, isOpen, ended } = startLive(site)
      assert.match(shown(), /^reading the cluster/)
      await site.pass(1)
      assert.deepEqual(rowsIn(shown()), ['node-2', 'node-1', 'node-0'])
      await press('j')
      await press('enter')
      assert.match(shown(), /^shop\/web-7d4b9c-x2x1q +774m /m)
      assert.doesNotMatch(shown(), /batch-0/)
      await press('enter')
      assert.match(shown(), /^ {2}why +gets 25 % of the node while it is full/m)
      await press('escape')
      await press('escape')
      assert.deepEqual(rowsIn(shown()), ['node-2', 'node-1', 'node-0'])
      await press('q')
      await ended
      assert.equal(isOpen(), false)
    })
  })

  void test('rows stay where they are until somebody sorts', async () => {
    await onSite({ nodes: 3 }, async (site) => {
      const { kube, pass } = site
      await furnish(kube, site.cluster.agenda.clock.wall())
      const { shown, press, ended } = startLive(site)
      await pass(1)
      const first = await kube.get(nodeMarkets, { name: 'node-0' })
      const [cpu] = first.status.resources
      assert.ok(cpu !== undefined)
      const resources = [{ ...cpu, sufferingPods: 9 }]
      await kube.update(nodeMarkets, { ...first, status: { ...first.status, resources } })
      await pass(5)
      assert.match(shown(), /^node-0.* 9\/1$/m)
      assert.deepEqual(rowsIn(shown()), ['node-2', 'node-1', 'node-0'])
      for (const _key of 'sssssss') await press('s') // round to the first sort again
      assert.deepEqual(rowsIn(shown()), ['node-2', 'node-0', 'node-1'])
      await press('q')
      await ended
    })
  })

  void test('a cluster that goes away is told, and what was known stays', async () => {
    await onSite({ nodes: 3 }, async (site) => {
      await furnish(site.kube, site.cluster.agenda.clock.wall())
      const { shown, press, breaks, ended } = startLive(site)
      await site.pass(1)
      breaks(true)
      await site.pass(5)
      assert.match(shown(), /^connection refused; trying again$/m)
      assert.deepEqual(rowsIn(shown()), ['node-2', 'node-1', 'node-0'])
      breaks(false)
      await site.pass(5)
      assert.doesNotMatch(shown(), /connection refused/)
      await press('ctrl-c')
      await ended
    })
  })

  void test('one that was never there is an error, and the screen is closed', async () => {
    await onSite({}, async (site) => {
      const live = startLive(site, false)
      await assert.rejects(live.ended, /connection refused/)
      assert.equal(live.isOpen(), false)
    })
  })

  void test('has as many lines as the screen has rows, whatever its size', async () => {
    await onSite({ nodes: 3 }, async (site) => {
      await furnish(site.kube, site.cluster.agenda.clock.wall())
      const { shown, press, resize, ended } = startLive(site)
      await site.pass(1)
      for (const rows of [50, 24, 8, 3, 1]) {
        resize(60, rows)
        assert.equal(shown().split('\n').length, rows)
      }
      await press('q')
      await ended
    })
  })
})
