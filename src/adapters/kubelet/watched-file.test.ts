import assert from 'node:assert/strict'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { watchFile } from './watched-file.ts'

void describe('a file that somebody else replaces', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-watched-file-'))
  after(() => rmSync(folder, { recursive: true }))

  void test('is read anew when it was replaced, and told once when it cannot be', () => {
    const path = join(folder, 'state')
    const told: unknown[] = []
    const read = watchFile({
      path,
      parse: (text) => JSON.parse(text) as unknown,
      log: (level, message, fields) => told.push([level, message, fields?.['path']]),
    })
    const replace = (text: string) => {
      writeFileSync(`${path}.new`, text)
      renameSync(`${path}.new`, path)
    }
    assert.equal(read(), undefined)

    replace('{"a":1}')
    const first = read()
    assert.deepEqual(first, { a: 1 })
    assert.equal(read(), first, 'a file that stays the same is not parsed again')
    assert.deepEqual(told, [])

    replace('{')
    assert.deepEqual([read(), read()], [first, first])
    assert.deepEqual(told, [['warn', 'file of the kubelet not read', path]])

    replace('{"a":2}')
    assert.deepEqual(read(), { a: 2 })
    rmSync(path)
    assert.equal(read(), undefined)
    assert.equal(told.length, 1)
  })
})
