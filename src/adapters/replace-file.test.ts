import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { each } from '../../test/each.ts'
import { openReplacing, replaceFile } from './replace-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'mbcas-replace-'))
after(() => rmSync(folder, { recursive: true }))
const at = (name: string): string => join(folder, name)
const isRoot = process.getuid?.() === 0

void test('a new file is only for whom it is meant', () => {
  replaceFile(at('new'), 'text', 0o600)
  assert.equal(readFileSync(at('new'), 'utf8'), 'text')
  assert.equal(statSync(at('new')).mode & 0o777, 0o600)
})

void test('a file that was there gets the mode as well, and nothing is left beside it', () => {
  writeFileSync(at('old'), 'a secret of old', { mode: 0o644 })
  const before = readdirSync(folder).length
  replaceFile(at('old'), 'b', 0o600)
  assert.equal(readFileSync(at('old'), 'utf8'), 'b')
  assert.equal(statSync(at('old')).mode & 0o777, 0o600)
  assert.equal(readdirSync(folder).length, before)
})

void test('a link that waits where the new file is made is not followed', () => {
  writeFileSync(at('precious'), 'mine')
  symlinkSync(at('precious'), at('trap.next'))
  replaceFile(at('trap'), 'text', 0o600)
  assert.equal(readFileSync(at('precious'), 'utf8'), 'mine')
  assert.equal(readFileSync(at('trap'), 'utf8'), 'text')
})

void test('devices are written to as they are', () => {
  replaceFile('/dev/null', 'text', 0o600)
  closeSync(openReplacing('/dev/null', 0o600))
})

void describe('is refused', () => {
  writeFileSync(at('victim'), 'mine')
  symlinkSync(at('victim'), at('link'))
  symlinkSync(at('nowhere'), at('dangling'))
  execFileSync('mkfifo', [at('pipe')])
  writeFileSync(at('theirs'), 'theirs')
  if (isRoot) chownSync(at('theirs'), 65_534, 65_534)
  chmodSync(at('theirs'), 0o666)
  const link = /^it is a symbolic link; name the file that it leads to, or remove it$/
  each(
    [
      { name: 'a link to a file', path: at('link'), says: link },
      { name: 'a link to nowhere', path: at('dangling'), says: link },
      { name: 'a folder', path: folder, says: /^it is a folder; name a file in it$/ },
      { name: 'a pipe', path: at('pipe'), says: /^it is no regular file; give another path$/ },
      ...(isRoot
        ? [
            {
              name: "somebody else's file",
              path: at('theirs'),
              says: /^it belongs to somebody else \(uid 65534, we are 0\); give another path$/,
            },
          ]
        : []),
      { name: 'a file in no folder', path: at('none/file'), says: /ENOENT/ },
    ],
    ({ path, says }) => {
      assert.throws(() => replaceFile(path, 'evil', 0o600), { message: says })
      assert.throws(() => openReplacing(path, 0o600), { message: says })
      assert.equal(readFileSync(at('victim'), 'utf8'), 'mine')
      assert.equal(readFileSync(at('theirs'), 'utf8'), 'theirs')
    },
  )
})
