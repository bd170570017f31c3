import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { clusterView, happening, nodeTile, podDetail, podRow } from '../../test/web/builders.ts'
import { mergeCluster, mergeEvents, mergeNode, mergePod } from './merge.ts'

void describe('merging patches', () => {
  void test('what is left out stands, and is the same object', () => {
    const view = clusterView({ nodes: [nodeTile({ name: 'a' })] })
    const merged = mergeCluster(view, { at: 9 })
    assert.deepEqual(merged, { ...view, at: 9 })
    assert.equal(merged.nodes, view.nodes)
    assert.equal(merged.history, view.history)
  })

  void test('a changed node keeps its place, a new one comes last, one that went is gone', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => nodeTile({ name }))
    assert.ok(a && b && c)
    const changed = { ...b, used: 999 }
    const fresh = nodeTile({ name: 'd' })
    const view = clusterView({ nodes: [a, b, c] })
    const { nodes } = mergeCluster(view, { at: 9, nodes: [fresh, changed], gone: ['c'] })
    assert.deepEqual(nodes, [a, changed, fresh])
    assert.equal(nodes[0], a)
  })

  void test('a short list comes whole', () => {
    const view = clusterView({ suffering: [podRow({ key: 'a/x' })], troubles: ['no metrics'] })
    const merged = mergeCluster(view, { at: 9, suffering: [], troubles: [] })
    assert.deepEqual([merged.suffering, merged.troubles], [[], []])
  })

  void test('new samples are appended', () => {
    const view = clusterView({})
    const later = { ...view.history, at: view.history.at.map((at) => at + 1_000_000) }
    const merged = mergeCluster(view, { at: 9, history: later })
    assert.deepEqual(merged.history.at, [...view.history.at, ...later.at])
    assert.equal(merged.history.used.length, merged.history.at.length)
  })

  void test('events are told once, the newest first', () => {
    const [first, second] = [happening({ id: '1' }), happening({ id: '2' })]
    const feed = mergeEvents({ at: 1, events: [first] }, { at: 2, events: [second, first] })
    assert.deepEqual(feed, { at: 2, events: [second, first] })
  })

  void test('at most twenty of those that suffered are kept', () => {
    const many = Array.from({ length: 25 }, (_, i) => happening({ id: String(i) }))
    assert.deepEqual(
      mergeCluster(clusterView({}), { at: 1, sufferedLately: many }).sufferedLately,
      many.slice(0, 20),
    )
  })

  void test('the pods of a node change by key', () => {
    const [a, b] = [podRow({ key: 'n/a' }), podRow({ key: 'n/b' })]
    const history = { at: [], price: [], mode: [], capacity: [], pods: [] }
    const view = { at: 1, tile: nodeTile({}), reserve: 0, held: 0, pods: [a, b], history }
    const merged = mergeNode(view, { at: 2, pods: [{ ...b, used: 7 }], gone: ['n/a'] })
    assert.deepEqual(merged.pods, [{ ...b, used: 7 }])
  })

  void test('a decision of a pod comes first, and its values replace the old', () => {
    const view = podDetail({ restarts: 0 })
    const decision = { at: 99, request: 200, urgency: 'normal', reason: 'demand rose' } as const
    const merged = mergePod(view, { at: 100, restarts: 1, decisions: [decision] })
    assert.deepEqual(merged.decisions, [decision, ...view.decisions])
    assert.deepEqual([merged.restarts, merged.row], [1, view.row])
  })
})
