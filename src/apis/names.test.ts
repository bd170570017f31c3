import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import * as names from './names.ts'

/** What Kubernetes takes as the key of a label: the stricter rule of the two. */
const key = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?\/[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/

void describe('apis/names', () => {
  void test('every setting is a valid key under our prefix, and no two are the same', () => {
    const all = [
      ...Object.values(names.settings),
      ...Object.values(names.bounds),
      names.overrideAnnotation,
      names.originalAnnotation,
    ]
    assert.equal(new Set(all).size, all.length)
    for (const name of all) {
      assert.match(name, key)
      assert.ok(name.startsWith(names.prefix))
    }
  })
})
