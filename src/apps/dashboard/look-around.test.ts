import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { nodeView } from '../../../test/dashboard/standings.ts'
import { each } from '../../../test/each.ts'
import { settled } from '../../../test/manual-clock.ts'
import { createLookAround } from './look-around.ts'

const { signal } = new AbortController()

function scene(count: number, lookedAt: readonly string[] = []) {
  const nodes = Array.from({ length: count }, (_, i) => `n${i}`)
  const heard: string[] = []
  const failed: string[] = []
  const world = {
    answer: async (name: string) => Promise.resolve(nodeView({ node: name })),
  }
  const look = createLookAround({
    nodeViews: { read: async ({ name }) => world.answer(name), close() {} },
    nodes: () => nodes,
    placeOf: (name) => ({ name, host: undefined, port: undefined }),
    lookedAt: () => new Set(lookedAt),
    answered: ({ node }, isFine) => void heard.push(isFine ? `${node} fine` : node),
    failed: (node, trouble) => void failed.push(`${node} ${trouble}`),
  })
  return { look, nodes, heard, failed, world }
}

void describe('looking around', () => {
  void test('few nodes are asked every turn, and finely', async () => {
    const { look, heard } = scene(3)
    await look.turn(signal)
    await look.turn(signal)
    const all = ['n0 fine', 'n1 fine', 'n2 fine']
    assert.deepEqual(heard, [...all, ...all])
  })

  each(
    [
      { name: 'a thousand within thirty turns', count: 1000, turns: 30, most: 34 },
      { name: 'five thousand within eighty', count: 5000, turns: 79, most: 64 },
    ],
    async ({ count, turns, most }) => {
      const { look, heard } = scene(count)
      let before = 0
      for (let turn = 0; turn < turns; turn += 1) {
        await look.turn(signal)
        assert.ok(heard.length - before <= most)
        before = heard.length
      }
      assert.equal(new Set(heard).size, count)
    },
  )

  void test('one that somebody looks at is asked every turn, and finely', async () => {
    const { look, heard } = scene(100, ['n99', 'gone'])
    await look.turn(signal)
    await look.turn(signal)
    assert.equal(heard.filter((line) => line === 'n99 fine').length, 2)
    assert.equal(heard.length, 2 * 5)
  })

  void test('one that does not answer holds up nobody, and is not asked twice at a time', async () => {
    const { look, heard, world } = scene(2)
    const { answer } = world
    let asked = 0
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    world.answer = async (name) => {
      if (name === 'n0') {
        asked += 1
        await held
      }
      return answer(name)
    }
    const first = look.turn(signal)
    await settled()
    await look.turn(signal)
    assert.deepEqual([asked, heard], [1, ['n1 fine', 'n1 fine']])
    release()
    await first
    assert.equal(heard.length, 3)
  })

  void test('why one did not answer is told', async () => {
    const { look, failed, world } = scene(1)
    world.answer = async () => Promise.reject(new Error('asking n0: refused'))
    await look.turn(signal)
    assert.deepEqual(failed, ['n0 asking n0: refused'])
    await look.turn(AbortSignal.abort())
    assert.equal(failed.length, 1, 'an end is no trouble')
  })
})
