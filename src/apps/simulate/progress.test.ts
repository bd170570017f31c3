import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { createProgress } from './progress.ts'

const written = (isTTY: boolean): string => {
  let text = ''
  const progress = createProgress({ isTTY, write: (more) => (text += more) })
  progress.show('10 %')
  progress.show('10 %')
  progress.show('20 %')
  progress.end('done in 3 s')
  return text
}

void describe('progress', () => {
  void test('on a terminal is one line that changes, and ends in the summary', () => {
    assert.equal(written(true), '\r\u001b[2K10 %\r\u001b[2K20 %\r\u001b[2Kdone in 3 s\n')
  })

  void test('elsewhere is only the summary', () => {
    assert.equal(written(false), 'done in 3 s\n')
  })
})
