import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { machine, placesOf } from '../../../test/cpu/machines.ts'
import { writeSysFolder } from '../../../test/cpu/sys-folder.ts'
import { readMachine } from './machine.ts'

void describe("a machine from the kernel's files", () => {
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-sys-'))
  after(() => rmSync(folder, { recursive: true }))

  void test('is the one whose files are in the folder', () => {
    const shape = { sockets: 2, nodes: 2, cores: 2, threads: 2, caches: 2 }
    writeSysFolder(folder, { cpus: placesOf(shape), kibibytes: 1024 })
    const { topology, nodes } = readMachine(folder)
    assert.deepEqual(topology, machine(shape))
    assert.deepEqual(nodes[3], { id: 3, distances: [21, 21, 21, 10], memory: { memory: 2 ** 20 } })
  })

  void test('where there are none, it is told', () => {
    assert.throws(() => readMachine(join(folder, 'none')), { message: /cpu\/online/ })
  })
})
