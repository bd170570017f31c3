import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { hintsIn, shownHint } from '../../../../test/cpu/hints.ts'
import { each } from '../../../../test/each.ts'
import type { HintList, ProviderHints } from '../hint.ts'
import { mergeHints } from './merge.ts'
import { topologyPolicies, type TopologyPolicy, type TopologySettings } from './settings.ts'

type Row = {
  readonly name: string
  readonly policy?: TopologyPolicy
  readonly nodes?: number
  readonly distances?: readonly (readonly number[])[]
  /** A provider each; null has no preference. */
  readonly hints: readonly (string | null)[]
  readonly gives: string
  readonly refused?: true
}

const settings = ({
  policy = 'restricted',
  nodes = 2,
  distances,
}: Partial<Row>): TopologySettings => ({
  policy,
  scope: 'container',
  numaNodes: Array.from({ length: nodes }, (_, id) => id),
  ...(distances && { distances }),
})

const providersOf = (hints: readonly (string | null)[]): ProviderHints[] =>
  hints.map((text, i) => ({ [`resource-${i}`]: text === null ? null : hintsIn(text) }))

/** Nodes 0 and 3 are near each other, and so are 1 and 2. */
const ring = [
  [10, 31, 31, 12],
  [31, 10, 12, 31],
  [31, 12, 10, 31],
  [12, 31, 31, 10],
]

const rows: readonly Row[] = [
  { name: 'nobody has a preference: all nodes', hints: [], gives: '01*' },
  { name: 'a null list has no preference', hints: [null, '1*'], gives: '1*' },
  { name: 'an empty list cannot be satisfied', hints: ['', '1*'], gives: '1', refused: true },
  { name: 'a hint of any node follows the others', hints: ['any*', '1*'], gives: '1*' },
  { name: 'also one that is not preferred', hints: ['any', '1*'], gives: '1', refused: true },
  { name: 'any node for all: all nodes', hints: ['any*'], gives: '01*' },
  { name: 'the one that both prefer', hints: ['0* 1* 01', '1* 01'], gives: '1*' },
  { name: 'the lowest of several that both prefer', hints: ['0* 1* 01', '0* 1*'], gives: '0*' },
  { name: 'the narrowest of those', nodes: 4, hints: ['0123* 12*', '12* 0123*'], gives: '12*' },
  { name: 'preferred by one only', hints: ['0* 01', '01*'], gives: '01', refused: true },
  { name: 'preferred, but different nodes', hints: ['0*', '01*'], gives: '0', refused: true },
  { name: 'no common node: all', hints: ['0*', '1*'], gives: '01', refused: true },
  {
    name: 'as many nodes as the one that needs most',
    nodes: 4,
    hints: ['0 1 01 23 0123', '01 23 0123'],
    gives: '01',
    refused: true,
  },
  {
    name: 'or else fewer, as many as can be',
    nodes: 4,
    hints: ['012 0123', '0 03', '0123 1'],
    gives: '03',
    refused: true,
  },
  {
    name: 'or else more, as few as can be',
    nodes: 4,
    hints: ['0 23', '1 23'],
    gives: '23',
    refused: true,
  },
  {
    name: 'best effort admits all the same',
    policy: 'best-effort',
    hints: ['0*', '1*'],
    gives: '01',
  },
  { name: 'none looks at nothing', policy: 'none', hints: ['0*', '1*'], gives: 'any' },
  {
    name: 'of equally many the lowest ids, which is the highest one that decides',
    nodes: 4,
    hints: ['03* 12*'],
    gives: '12*',
  },
  { name: 'or the closest', nodes: 4, distances: ring, hints: ['01* 02* 03* 13*'], gives: '03*' },
  {
    name: 'the closest of those that nobody prefers',
    nodes: 4,
    distances: ring,
    hints: ['01 02 12 0123'],
    gives: '12',
    refused: true,
  },
  {
    name: 'a single node, also where several would be preferred',
    policy: 'single-numa-node',
    nodes: 4,
    hints: ['01* 23* 2*', '2*'],
    gives: '2*',
  },
  {
    name: 'no single node: none, not preferred',
    policy: 'single-numa-node',
    hints: ['01*'],
    gives: 'any',
    refused: true,
  },
  {
    name: 'a machine of one node binds nothing',
    policy: 'single-numa-node',
    nodes: 1,
    hints: ['0*'],
    gives: 'any*',
  },
  { name: 'nodes that the machine lacks are left out', hints: ['07*', '07*'], gives: '0*' },
]

void describe('core/cpu: merging hints', () => {
  each(rows, ({ hints, gives, refused = false, ...row }) => {
    const merged = mergeHints(providersOf(hints), settings(row))
    assert.deepEqual([shownHint(merged.hint), merged.admit], [gives, !refused])
  })

  void test('a provider may have several resources, or none', () => {
    const cpu = { cpu: hintsIn('0* 1*'), device: hintsIn('1*') }
    const { hint } = mergeHints([cpu, {}, null], settings({}))
    assert.equal(shownHint(hint), '1*')
  })

  void test('more nodes than there are bits for are refused', () => {
    const ids = Array.from({ length: 31 }, (_, id) => id)
    assert.throws(() => mergeHints([], settings({ nodes: 31 })), {
      name: 'InvalidInput',
      message: 'merging hints: expected at most 30 NUMA nodes, got 31',
    })
    const hints = [{ cpu: [{ affinity: ids, preferred: true }] }]
    assert.throws(() => mergeHints(hints, settings({})), /got 31$/)
    const { hint } = mergeHints(
      [{ cpu: [{ affinity: [29], preferred: true }] }],
      settings({ nodes: 30 }),
    )
    assert.deepEqual(hint, { affinity: [29], preferred: true })
  })

  void test('a list may be longer than a call has room for arguments', () => {
    const many = Array.from({ length: 200_000 }, (_, i) => ({
      affinity: [i % 2],
      preferred: false,
    }))
    assert.deepEqual(mergeHints([{ cpu: many }], settings({})).hint, {
      affinity: [0],
      preferred: false,
    })
  })
})

const count = 5
const anyHint = fc.record({
  affinity: fc.option(fc.subarray(Array.from({ length: count }, (_, id) => id)), { freq: 9 }),
  preferred: fc.boolean(),
})
const anyList: fc.Arbitrary<HintList> = fc.option(fc.array(anyHint, { maxLength: 8 }), { freq: 9 })
const anyProviders = fc.array(fc.dictionary(fc.string(), anyList, { maxKeys: 2 }), { maxLength: 3 })
const anyPolicy = fc.constantFrom(...topologyPolicies)

void describe('core/cpu: laws of merging', () => {
  void test('the order of providers and of their hints does not matter', () => {
    fc.assert(
      fc.property(anyProviders, anyPolicy, (providers, policy) => {
        const backwards = providers.toReversed().map((one) =>
          Object.fromEntries(
            Object.entries(one)
              .toReversed()
              .map(([name, list]) => [name, list?.toReversed() ?? null]),
          ),
        )
        const at = settings({ policy, nodes: count })
        assert.deepEqual(mergeHints(providers, at), mergeHints(backwards, at))
      }),
    )
  })

  void test('a single node is admitted only as one node, or where nobody has a preference', () => {
    fc.assert(
      fc.property(anyProviders, (providers) => {
        const at = settings({ policy: 'single-numa-node', nodes: count })
        const { hint, admit } = mergeHints(providers, at)
        assert.equal(admit, hint.preferred)
        assert.ok(hint.affinity === null || hint.affinity.length === 1)
      }),
    )
  })

  void test('what is preferred is within a preferred hint of every resource', () => {
    fc.assert(
      fc.property(anyProviders, (providers) => {
        const { hint } = mergeHints(providers, settings({ nodes: count }))
        if (!hint.preferred) return
        for (const list of providers.flatMap((one) => Object.values(one))) {
          const isIn = (affinity: readonly number[] | null): boolean =>
            affinity === null || hint.affinity?.every((node) => affinity.includes(node)) === true
          assert.ok(list === null || list.some((one) => one.preferred && isIn(one.affinity)))
        }
      }),
    )
  })
})
