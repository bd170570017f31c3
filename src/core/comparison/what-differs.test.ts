import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { armNames } from './arm-names.ts'
import { whatDiffers } from './what-differs.ts'

void describe('what differs between arms', () => {
  void test('is said of every arm that is there', () => {
    const said = whatDiffers(armNames)
    for (const name of armNames) assert.ok(said.includes(name), name)
  })

  void test('is said once of arms that are alike in it', () =>
    assert.equal(
      whatDiffers(['koordinator', 'captain', 'mbcas']),
      'What differs between them: koordinator, captain: weights count as requests, no targets; mbcas: requests, weights and targets, no history.',
    ))

  void test('is nothing where there is one', () => assert.equal(whatDiffers(['mbcas']), ''))
})
