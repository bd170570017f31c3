/** What every place for a document that outlives a process keeps to. */
import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { KeptDocument } from '../src/ports/kept-document.ts'

/** `open` gives the same place again and again; at first nothing is kept there. */
export function testKeptDocument(open: () => KeptDocument): void {
  void test('what was saved last is loaded, also by the next to open it, until it is removed', () => {
    const first = open()
    assert.equal(first.load(), undefined)
    const document = { text: 'ä', list: [1, null] }
    first.save(document)
    document.list.push(2)
    assert.deepEqual(first.load(), { text: 'ä', list: [1, null] })
    first.save({})
    assert.deepEqual(open().load(), {})
    first.remove()
    first.remove()
    assert.equal(open().load(), undefined)
  })
}
