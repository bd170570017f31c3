import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { plain } from '../paint.ts'
import { entriesIn, explainReason } from './troubleshooting.ts'

const markdown = `# Troubleshooting

### Applied

All is [well](#well).

## Later

### NodeHeadroom

It waits,
and waits.
`

void describe('troubleshooting entries', () => {
  void test('are the headings of the third level, with their text', () => {
    assert.deepEqual(entriesIn(markdown), [
      { code: 'Applied', text: 'All is well.' },
      { code: 'NodeHeadroom', text: 'It waits, and waits.' },
    ])
  })

  void test('are found however the code is written', () => {
    const { text } = explainReason(markdown, 'applied')
    const style = { width: 80, isWide: false, paint: plain }
    assert.equal(text(style), 'Applied\n  All is well.\n')
  })

  void test('that are not there name the nearest', () => {
    assert.throws(
      () => explainReason(markdown, 'NodeHedroom'),
      /no reason or alert NodeHedroom; did you mean NodeHeadroom\?$/,
    )
  })
})
