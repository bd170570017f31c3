import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../../test/each.ts'
import { press, startState, type TopState } from './state.ts'

const seen = { keys: ['a', 'b', 'c'], page: 2 }

/** The keys one after the other; `q` ends it. */
function after(keys: readonly string[], from = startState('nodes')): TopState | 'quit' {
  let state: TopState | 'quit' = from
  for (const key of keys) {
    if (state === 'quit') break
    state = press(state, key, seen)
  }
  return state
}

const viewAfter = (keys: readonly string[], from = startState('nodes')) => {
  const state = after(keys, from)
  assert.ok(state !== 'quit')
  const { kind, node, opened, chosen, isHelp } = state
  return {
    kind,
    ...(node && { node }),
    ...(opened && { opened }),
    ...(chosen && { chosen }),
    ...(isHelp && { isHelp }),
  }
}

void describe('keys of mbcas top', () => {
  each(
    [
      { name: 'j goes down', keys: ['j'], shows: { kind: 'nodes', chosen: 'b' } },
      {
        name: 'k goes up, and not beyond the first',
        keys: ['j', 'k', 'k'],
        shows: { kind: 'nodes', chosen: 'a' },
      },
      {
        name: 'not beyond the last',
        keys: ['j', 'j', 'j', 'j'],
        shows: { kind: 'nodes', chosen: 'c' },
      },
      { name: 'a page down', keys: ['page-down'], shows: { kind: 'nodes', chosen: 'c' } },
      { name: 'to the end and back', keys: ['G', 'g'], shows: { kind: 'nodes', chosen: 'a' } },
      {
        name: 'Enter on a node shows its pods',
        keys: ['j', 'enter'],
        shows: { kind: 'pods', node: 'b' },
      },
      {
        name: 'Escape goes back to that node',
        keys: ['j', 'enter', 'escape'],
        shows: { kind: 'nodes', chosen: 'b' },
      },
      {
        name: 'Enter on a pod explains it',
        keys: ['p', 'enter'],
        shows: { kind: 'pods', opened: 'a', chosen: 'a' },
      },
      {
        name: 'Escape leaves it',
        keys: ['p', 'enter', 'escape'],
        shows: { kind: 'pods', chosen: 'a' },
      },
      {
        name: 'j does nothing in it',
        keys: ['p', 'enter', 'j'],
        shows: { kind: 'pods', opened: 'a', chosen: 'a' },
      },
      {
        name: 'n leads to all nodes from anywhere',
        keys: ['p', 'enter', 'n'],
        shows: { kind: 'nodes' },
      },
      { name: 'any key leaves the help', keys: ['?', 'j'], shows: { kind: 'nodes' } },
      { name: '? shows the help', keys: ['?'], shows: { kind: 'nodes', isHelp: true } },
      { name: 'what means nothing changes nothing', keys: ['x', 'é'], shows: { kind: 'nodes' } },
    ],
    ({ keys, shows }) => assert.deepEqual(viewAfter(keys), shows),
  )

  each(
    [['q'], ['ctrl-c'], ['?', 'q'], ['p', 'enter', 'q']].map((keys) => ({
      name: `${keys.join(' ')} quits`,
      keys,
    })),
    ({ keys }) => assert.equal(after(keys), 'quit'),
  )

  void test('s goes round the sorts of its table, and sorts anew', () => {
    const ordered = { ...startState('pods'), order: ['a'] }
    const state = after(['s'], ordered)
    assert.ok(state !== 'quit')
    assert.deepEqual(
      [state.sort.pods, state.sort.nodes, state.order],
      ['pod', 'trouble', undefined],
    )
    const round = after(
      Array.from({ length: 7 }, () => 's'),
      ordered,
    )
    assert.ok(round !== 'quit')
    assert.equal(round.sort.pods, 'trouble')
  })

  void test('an empty table has nothing to choose or open', () => {
    const state = startState('nodes')
    const empty = { keys: [], page: 5 }
    assert.deepEqual([press(state, 'j', empty), press(state, 'enter', empty)], [state, state])
  })
})
