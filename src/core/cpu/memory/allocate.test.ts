import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { hintsIn } from '../../../../test/cpu/hints.ts'
import { freeOf, gibibytes, memoryContainer, memoryOf } from '../../../../test/cpu/memory.ts'
import { accepted, pod } from '../../../../test/cpu/policies.ts'
import { each } from '../../../../test/each.ts'
import type { ContainerRequest, PodRequest } from '../pod-request.ts'
import { isRefusal } from '../refusal.ts'
import { allocateMemory, releaseInitMemory, releaseMemory, releasePodMemory } from './allocate.ts'
import { blocksOf, createMemoryState, type MemoryState } from './state.ts'

const give = (
  state: MemoryState,
  [one, container]: readonly [PodRequest, ContainerRequest],
  hint: string,
) => {
  const [merged] = hintsIn(hint)
  assert.ok(merged)
  return allocateMemory(state, { pod: one, container, hint: merged })
}

/** All its containers, in order. */
const giveAll = (state: MemoryState, one: PodRequest, hint: string): MemoryState =>
  one.containers.reduce(
    (before, container) => accepted(give(before, [one, container], hint)),
    state,
  )

type Row = {
  readonly name: string
  readonly free: readonly number[]
  readonly asks: number
  readonly hint: string
  readonly leaves?: readonly number[]
  readonly error?: string
}

const rows: readonly Row[] = [
  { name: 'on the node of the hint', free: [4, 8], asks: 3, hint: '1*', leaves: [4, 5] },
  { name: 'without a hint, on the best node', free: [4, 8], asks: 6, hint: 'any', leaves: [4, 2] },
  {
    name: 'over several nodes, the first one first',
    free: [4, 4],
    asks: 6,
    hint: '01',
    leaves: [0, 2],
  },
  { name: 'wider than the hint', free: [4, 4], asks: 6, hint: '0', leaves: [0, 2] },
  {
    name: 'the fewest nodes that hold the hint',
    free: [4, 4, 9],
    asks: 7,
    hint: '0',
    leaves: [0, 1, 9],
  },
  {
    name: 'nowhere enough',
    free: [4, 4],
    asks: 9,
    hint: 'any',
    error:
      '[memorymanager] failed to get the default NUMA affinity, no NUMA nodes with enough memory is available',
  },
  {
    name: 'not even with other nodes',
    free: [4, 4],
    asks: 9,
    hint: '0*',
    error: '[memorymanager] failed to find NUMA nodes to extend the current topology hint',
  },
]

void describe('core/cpu: giving memory', () => {
  each(rows, ({ free, asks, hint, leaves, error }) => {
    const container = memoryContainer('app', asks)
    const after = give(memoryOf(...free), [pod('p', container), container], hint)
    if (isRefusal(after)) assert.equal(after.error, error)
    else assert.deepEqual(freeOf(after), leaves)
  })

  void test('a preferred hint is not widened to one that is not', () => {
    const first = memoryContainer('first', 3)
    const second = memoryContainer('second', 4)
    const one = pod('p', first, second)
    const state = accepted(give(memoryOf(6, 6), [one, first], '01'))
    assert.deepEqual(give(state, [one, second], '0*'), {
      error: '[memorymanager] failed to find the extended preferred hint',
    })
    assert.deepEqual(give(state, [one, second], 'any*'), {
      error: '[memorymanager] failed to find the default preferred hint',
    })
  })

  void test('a node that serves alone is not drawn into a group', () => {
    const small = memoryContainer('small', 1)
    const large = memoryContainer('large', 5)
    const state = accepted(give(memoryOf(6, 6), [pod('p', small), small], '0'))
    assert.deepEqual(give(state, [pod('q', large), large], '01'), {
      error: '[memorymanager] preferred hint violates NUMA node allocation',
    })
  })

  void test('parts of a byte are refused', () => {
    const app = {
      ...memoryContainer('app', 0),
      memory: { memory: 1.5 as ReturnType<typeof gibibytes> },
    }
    assert.deepEqual(give(memoryOf(6), [pod('p', app), app], 'any'), {
      error: '[memorymanager] failed to represent quantity as int64',
    })
  })

  void test('what it does not pin, it gives nothing', () => {
    const app = memoryContainer('app', 2)
    const state = memoryOf(6)
    assert.equal(give(state, [{ ...pod('p', app), isGuaranteed: false }, app], 'any'), state)
  })

  void test('nothing can be pinned where nothing is reserved', () => {
    assert.deepEqual(
      createMemoryState([{ numa: 0, total: { memory: gibibytes(1) }, reserved: {} }]),
      {
        error: '[memorymanager] you should specify the system reserved memory',
      },
    )
  })
})

void describe('core/cpu: memory of init containers', () => {
  const inits = [memoryContainer('a', 4, 'init'), memoryContainer('b', 6, 'init')]
  const apps = [memoryContainer('c', 5), memoryContainer('d', 3)]

  void test('is used again by those after them', () => {
    const left = [...inits, ...apps].map((_, i, all) =>
      freeOf(giveAll(memoryOf(10), pod('p', ...all.slice(0, i + 1)), '0')),
    )
    assert.deepEqual(left, [[6], [4], [4], [2]])
  })

  void test('is counted where it is used', () => {
    const one = pod('p', ...inits, ...apps)
    const state = giveAll(memoryOf(10), one, '0')
    const sizes = one.containers.map(
      ({ name }) => (blocksOf(state, 'p', name)?.[0]?.bytes ?? 0) / gibibytes(1),
    )
    assert.deepEqual(sizes, [0, 0, 5, 3])
  })

  void test('of a sidecar it is not: it stays', () => {
    const sidecar = memoryContainer('side', 4, 'sidecar')
    const state = giveAll(memoryOf(10), pod('p', sidecar, memoryContainer('app', 3)), '0')
    assert.deepEqual(freeOf(state), [3])
  })

  void test('is free again once the apps run', () => {
    const one = pod('p', memoryContainer('init', 6, 'init'), memoryContainer('app', 2))
    const state = giveAll(memoryOf(10), one, '0')
    assert.deepEqual(freeOf(state), [4])
    assert.deepEqual(freeOf(releaseInitMemory(state, one)), [8])
  })

  void test('is not for another pod', () => {
    const state = giveAll(memoryOf(10), pod('p', inits[1] ?? memoryContainer('b', 6, 'init')), '0')
    assert.deepEqual(freeOf(giveAll(state, pod('q', memoryContainer('app', 2)), '0')), [2])
  })
})

void describe('core/cpu: giving memory back', () => {
  const anyPod = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom('init', 'sidecar', 'app')), {
      minLength: 1,
      maxLength: 4,
    })
    .map((sizes) =>
      pod('p', ...sizes.map(([size, kind], i) => memoryContainer(`c${i}`, size, kind as 'app'))),
    )

  void test('restores what was free', () => {
    fc.assert(
      fc.property(anyPod, fc.constantFrom('0', '1', '01', 'any'), (one, hint) => {
        const before = memoryOf(6, 6)
        let state = before
        for (const container of one.containers) {
          const after = give(state, [one, container], hint)
          if (isRefusal(after)) break
          state = after
        }
        const { nodes, held } = releasePodMemory(state, 'p')
        assert.deepEqual([nodes, held], [before.nodes, []])
      }),
    )
  })

  void test('of a container that has none changes nothing', () => {
    const state = memoryOf(6)
    assert.deepEqual(releaseMemory(state, 'p', 'app'), state)
  })
})
