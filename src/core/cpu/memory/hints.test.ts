import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { hintsIn, shownHints } from '../../../../test/cpu/hints.ts'
import { gibibytes, memoryContainer, memoryOf } from '../../../../test/cpu/memory.ts'
import { accepted, pod } from '../../../../test/cpu/policies.ts'
import { each } from '../../../../test/each.ts'
import { allocateMemory } from './allocate.ts'
import { memoryHintsOfContainer, memoryHintsOfPod } from './hints.ts'
import { createMemoryState, type MemoryState } from './state.ts'

/** As others hold it: so many GiB on these nodes. */
function taken(state: MemoryState, ...blocks: readonly (readonly [string, number])[]): MemoryState {
  return blocks.reduce((before, [nodes, size], i) => {
    const container = memoryContainer('app', size)
    const [hint] = hintsIn(nodes)
    assert.ok(hint)
    return accepted(allocateMemory(before, { pod: pod(`other-${i}`, container), container, hint }))
  }, state)
}

const rows = [
  { name: 'either node would do', state: memoryOf(8, 8), asks: 6, hints: '0* 1* 01' },
  { name: 'one has too little left', state: taken(memoryOf(8, 8), ['0', 4]), asks: 6, hints: '1*' },
  { name: 'more than a node has', state: memoryOf(8, 8), asks: 12, hints: '01*' },
  {
    name: 'only together, though one would do if it were empty',
    state: taken(memoryOf(8, 8), ['01', 10]),
    asks: 5,
    hints: '01',
  },
  {
    name: 'a node that serves alone is in no group',
    state: taken(memoryOf(8, 8, 8), ['0', 1]),
    asks: 10,
    hints: '12*',
  },
  {
    name: 'a node of a group serves only with that group',
    state: taken(memoryOf(8, 8, 8), ['01', 10]),
    asks: 2,
    hints: '2* 01',
  },
]

void describe('core/cpu: hints of the Memory Manager', () => {
  each(rows, ({ state, asks, hints }) => {
    const container = memoryContainer('app', asks)
    const given = memoryHintsOfContainer(state, pod('p', container), container)
    assert.equal(shownHints(given['memory'] ?? null), hints)
  })

  void test('without enough memory anywhere it says nothing', () => {
    const container = memoryContainer('app', 17)
    assert.deepEqual(memoryHintsOfContainer(memoryOf(8, 8), pod('p', container), container), {})
  })

  void test('it says nothing of a pod that it does not pin', () => {
    const app = memoryContainer('app', 1)
    const shared = { ...pod('p', app), isGuaranteed: false }
    const whole = { ...pod('p', app), hasPodResources: true }
    for (const one of [shared, whole]) {
      assert.deepEqual(memoryHintsOfContainer(memoryOf(8), one, app), {})
      assert.deepEqual(memoryHintsOfPod(memoryOf(8), one), {})
    }
  })

  void test('huge pages and memory are on the same nodes', () => {
    const total = (pages: number) => ({ memory: gibibytes(8), 'hugepages-1Gi': gibibytes(pages) })
    const reserved = { memory: gibibytes(1) }
    const state = accepted(
      createMemoryState([
        { numa: 0, total: total(2), reserved },
        { numa: 1, total: total(4), reserved },
      ]),
    )
    const memory = { memory: gibibytes(2), 'hugepages-1Gi': gibibytes(3) }
    const container = { ...memoryContainer('app', 0), memory }
    const hints = memoryHintsOfContainer(state, pod('p', container), container)
    assert.equal(shownHints(hints['memory'] ?? null), '1* 01')
    assert.deepEqual(hints['hugepages-1Gi'], hints['memory'])
  })

  void test('a node whose reserve is more than it has counts as endless, as for the kubelet', () => {
    const state = accepted(
      createMemoryState([
        { numa: 0, total: { memory: gibibytes(1) }, reserved: { memory: gibibytes(2) } },
        { numa: 1, total: { memory: gibibytes(4) }, reserved: {} },
      ]),
    )
    const container = memoryContainer('app', 4)
    const given = memoryHintsOfContainer(state, pod('p', container), container)
    assert.equal(shownHints(given['memory'] ?? null), '0* 1*') // together: 4 - 1 GiB
  })

  void test('a pod asks for what runs at one time', () => {
    const init = memoryContainer('init', 5, 'init')
    const sidecar = memoryContainer('sidecar', 2, 'sidecar')
    const late = memoryContainer('late', 6, 'init')
    const app = memoryContainer('app', 3)
    const asked = (...containers: (typeof app)[]) =>
      shownHints(memoryHintsOfPod(memoryOf(4, 5, 8), pod('p', ...containers))['memory'] ?? null)
    assert.equal(asked(init, app), '1* 2* 01 02 12 012') // 5
    assert.equal(asked(sidecar, late, app), '2* 01 02 12 012') // 2 + 6
    assert.equal(asked(sidecar, app), '1* 2* 01 02 12 012') // 2 + 3
  })

  void test('a container that has its memory gets a hint for where it is', () => {
    const container = memoryContainer('app', 3)
    const one = pod('p', container)
    const [hint] = hintsIn('1')
    assert.ok(hint)
    const state = accepted(allocateMemory(memoryOf(8, 8), { pod: one, container, hint }))
    assert.deepEqual(memoryHintsOfContainer(state, one, container), { memory: hintsIn('1*') })
    assert.deepEqual(memoryHintsOfPod(state, one), { memory: hintsIn('1*') })
    const more = memoryContainer('app', 4)
    assert.deepEqual(memoryHintsOfContainer(state, pod('p', more), more), {})
  })
})
