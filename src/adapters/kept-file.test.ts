import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { each } from '../../test/each.ts'
import { testKeptDocument } from '../../test/kept-document.ts'
import { InvalidInput } from '../core/errors.ts'
import { keepInFile } from './kept-file.ts'

void describe('a document kept in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-kept-'))
  after(() => rmSync(folder, { recursive: true }))

  testKeptDocument(() => keepInFile(join(folder, 'new', 'document')))

  void test('a save leaves nothing beside the file, whatever an earlier one left', () => {
    const path = join(folder, 'alone', 'document')
    const kept = keepInFile(path)
    kept.save('first')
    writeFileSync(`${path}.next`, '"cut off in the mid')
    assert.equal(kept.load(), 'first')
    kept.save('second')
    assert.deepEqual(readdirSync(join(folder, 'alone')), ['document'])
    assert.equal(kept.load(), 'second')
  })

  void test('what is too large is not written, and what was there stays', () => {
    const path = join(folder, 'full')
    const kept = keepInFile(path)
    kept.save('small')
    const message = `writing ${path}: expected at most 1048576 bytes, got 1048577`
    assert.throws(() => kept.save('x'.repeat(1_048_575)), { message })
    assert.equal(kept.load(), 'small')
  })

  void test('a folder that everybody may write to is refused', () => {
    const open = join(folder, 'open')
    mkdirSync(open)
    chmodSync(open, 0o777)
    const message = `writing ${open}/document: everybody may write to its folder; run chmod o-w ${open}`
    assert.throws(() => keepInFile(join(open, 'document')).save('x'), { message })
  })

  each(
    [
      {
        name: 'what is too large is not read',
        make: (path: string) => writeFileSync(path, ' '.repeat(1_048_577)),
        says: /: expected at most 1048576 bytes, got 1048577$/,
      },
      {
        name: 'nor what is cut off',
        make: (path: string) => writeFileSync(path, '{"version": 1, "situ'),
        says: /JSON/,
      },
      {
        name: 'nor what a link leads to',
        make: (path: string) => symlinkSync('/dev/null', path),
        says: /it is a symbolic link/,
      },
      {
        name: 'nor what is no file',
        make: (path: string) => mkdirSync(path),
        says: /it is a folder/,
      },
    ],
    ({ make, says }) => {
      const path = join(folder, 'bad')
      rmSync(path, { recursive: true, force: true })
      make(path)
      const isTold = (error: unknown): boolean =>
        error instanceof InvalidInput &&
        error.message.startsWith(`reading ${path}: `) &&
        says.test(error.message)
      assert.throws(() => keepInFile(path).load(), isTold)
    },
  )
})
