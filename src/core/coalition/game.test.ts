import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { coalitionValues, playersOf } from './game.ts'

void describe('core/coalition/game', () => {
  void test('every coalition but the empty one is valued once, at the index of its bits', () => {
    const asked: string[] = []
    const values = coalitionValues((members) => {
      asked.push([...members].toSorted((a, b) => a - b).join(''))
      return [...members].reduce((sum, player) => sum + 10 ** player, 0)
    }, 3)
    assert.deepEqual([...values], [0, 1, 10, 11, 100, 101, 110, 111])
    assert.deepEqual(asked.toSorted(), ['0', '01', '012', '02', '1', '12', '2'])
  })

  void test('the players of a coalition are its set bits', () => {
    assert.deepEqual(playersOf(0b1011), [0, 1, 3])
    assert.deepEqual(playersOf(0), [])
  })

  void test('more players than can be listed are refused with the remedy', () => {
    assert.throws(
      () => coalitionValues(() => 0, 21),
      /listing all coalitions of 21 players: expected at most 20 players; .* use sampleShapley/,
    )
  })

  void test('a value that is no number is refused by the name of its coalition', () => {
    assert.throws(
      () => coalitionValues((members) => (members.size === 2 ? NaN : 1), 2),
      /valuing the coalition of players 0, 1: expected a finite number, got NaN/,
    )
  })
})
