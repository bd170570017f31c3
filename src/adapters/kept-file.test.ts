import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
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
import { Garbled } from '../ports/kept-document.ts'
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

  each(
    [
      { name: 'everybody', mode: 0o777, says: 'everybody may write to its folder; run chmod go-w' },
      {
        name: 'a group',
        mode: 0o775,
        says: 'the group of its folder may write to it; run chmod g-w',
      },
    ].map(({ name, ...row }) => ({ name: `a folder that ${name} may write to is refused`, row })),
    ({ row: { mode, says } }) => {
      const open = join(folder, `open-${mode}`)
      mkdirSync(open)
      chmodSync(open, mode)
      const kept = keepInFile(join(open, 'document'))
      assert.throws(() => kept.save('x'), { message: `writing ${kept.where}: ${says} ${open}` })
      assert.throws(() => kept.load(), { message: `reading ${kept.where}: ${says} ${open}` })
    },
  )

  void test('a folder that it makes is one that it takes', () => {
    const umask = process.umask(0)
    try {
      const kept = keepInFile(join(folder, 'made', 'document'))
      kept.save('x')
      assert.equal(kept.load(), 'x')
    } finally {
      process.umask(umask)
    }
  })

  void test('nor a device, whose name is said once', () => {
    const message = 'reading /dev/null: it is no regular file; name another'
    assert.throws(() => keepInFile('/dev/null').load(), { message })
  })

  void test('only what cannot be parsed is garbled', () => {
    const path = join(folder, 'garbled')
    for (const text of ['{', ' '.repeat(1_048_577), '\xff\xfe\0']) {
      writeFileSync(path, text, 'latin1')
      assert.throws(() => keepInFile(path).load(), Garbled)
    }
    const isOther = (error: unknown): boolean => !(error instanceof Garbled)
    assert.throws(() => keepInFile(folder).load(), isOther)
  })

  void test('of root it is for root to read', { skip: process.geteuid?.() !== 0 }, () => {
    const path = join(folder, 'of-root')
    keepInFile(path).save('x')
    chmodSync(folder, 0o755)
    process.seteuid?.(65_534)
    try {
      const message = `reading ${path}: it belongs to root, and we are uid 65534; run it as root`
      assert.throws(() => keepInFile(path).load(), { message })
    } finally {
      process.seteuid?.(0)
    }
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
        says: /: it is a symbolic link; name the file that it leads to$/,
      },
      {
        name: 'nor what is no file',
        make: (path: string) => mkdirSync(path),
        says: /: it is a folder; name a file in it$/,
      },
      {
        name: 'nor a pipe',
        make: (path: string) => void execFileSync('mkfifo', [path]),
        says: /: it is no regular file; name another$/,
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
