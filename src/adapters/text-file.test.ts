import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { asNobody } from '../../test/as-nobody.ts'
import { each } from '../../test/each.ts'
import { readFileText } from './text-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'mbcas-text-'))
chmodSync(folder, 0o755)
after(() => rmSync(folder, { recursive: true }))

const at = (name: string): string => join(folder, name)
const save = (name: string, bytes: string | Buffer): string => {
  writeFileSync(at(name), bytes)
  return at(name)
}
const fifo = (name: string): string => {
  execFileSync('mkfifo', [at(name)])
  return at(name)
}

void describe('a file of a user', () => {
  symlinkSync(at('circle'), at('circle'))
  each(
    [
      { name: 'is missing', path: at('none'), says: 'there is no such file' },
      {
        name: 'is below a file',
        path: join(save('file', 'x'), 'none'),
        says: 'there is no such file: a part of its path is no folder',
      },
      { name: 'is a folder', path: folder, says: 'it is a folder' },
      { name: 'is a circle', path: at('circle'), says: 'its symbolic links lead in a circle' },
      { name: 'has too long a name', path: at('x'.repeat(300)), says: 'the name is too long' },
      { name: 'has a name with NUL', path: 'a\0b', says: 'a name of a file has no NUL in it' },
      {
        name: 'is too large',
        path: save('large', 'x'.repeat(11)),
        says: 'expected at most 10 bytes, got 11',
      },
      { name: 'never ends', path: '/dev/zero', says: 'expected at most 10 bytes, got more' },
      {
        name: 'does not know its size',
        path: '/proc/cpuinfo',
        says: 'expected at most 10 bytes, got more',
      },
      {
        name: 'is a pipe that nobody writes to',
        path: fifo('silent'),
        says: 'it is a pipe, and nobody wrote to it within 0.05 s',
      },
      {
        name: 'is no UTF-8',
        path: save('latin', Buffer.from([0x61, 0xe4, 0x61])),
        says: 'expected text in UTF-8, got bytes that are not',
      },
      {
        name: 'is UTF-16',
        path: save('wide', Buffer.from('\uFEFFa', 'utf16le')),
        says: 'expected text in UTF-8, got UTF-16; save it as UTF-8',
      },
      {
        name: 'is compressed',
        path: save('zip', Buffer.from([0x1f, 0x8b, 8])),
        says: 'expected text in UTF-8, got a compressed file; unpack it with gunzip',
      },
      {
        name: 'has a NUL in it',
        path: save('nul', 'ab\0c'),
        says: 'expected text, got a NUL byte at offset 2',
      },
    ],
    ({ path, says }) =>
      assert.throws(() => readFileText(path, { mostBytes: 10, patience: 50 }), {
        name: 'InvalidInput',
        message: `reading ${path}: ${says}`,
      }),
  )

  void test('cannot be read', () => {
    const path = save('secret', 'x')
    chmodSync(path, 0)
    asNobody(() => {
      assert.throws(() => readFileText(path), { message: `reading ${path}: permission denied` })
    })
  })

  void test('is a socket', async () => {
    const path = at('socket')
    const server = createServer().listen(path)
    await new Promise((done) => server.once('listening', done))
    assert.throws(() => readFileText(path), {
      message: `reading ${path}: it is a socket, or a device that is not there`,
    })
    await new Promise((done) => server.close(done))
  })

  void test('is no regular file where only those will do', () => {
    assert.throws(() => readFileText('/dev/null', { pipes: false }), {
      message: 'reading /dev/null: expected a regular file, got a pipe or a device',
    })
  })
})

void test('a byte order mark is no part of the text', () => {
  assert.equal(readFileText(save('mark', '\uFEFFa: 1')), 'a: 1')
})

void test('nothing is text, too', () => assert.equal(readFileText('/dev/null'), ''))

void test('a pipe is read to its end, also if whoever writes is slow', () => {
  const path = fifo('slow')
  const writer = spawn('sh', ['-c', `exec > ${path}; printf a; sleep 0.1; printf b`])
  assert.equal(readFileText(path), 'ab')
  writer.unref()
})

void test('a pipe that is opened and stays silent is given up', () => {
  const path = fifo('opened')
  const writer = spawn('sh', ['-c', `exec > ${path}; printf a; exec sleep 60`])
  try {
    assert.throws(() => readFileText(path, { patience: 300 }), {
      message:
        /^reading .*: it is a pipe( or a terminal, and nothing came for|, and nobody wrote to it within) 0.3 s$/,
    })
  } finally {
    writer.kill('SIGKILL')
  }
})
