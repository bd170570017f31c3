import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { parseNumaStat } from './parse-numa-stat.ts'
import { openCgroups } from './reader.ts'

/** As a machine of two nodes says it; shortened. */
const v1 = `total=40 N0=30 N1=10
file=10 N0=10 N1=0
hierarchical_total=5789 N0=5700 N1=89
hierarchical_anon=374 N0=374 N1=0
`
const v2 = `anon N0=1531904 N1=1000
file N0=831488 N1=4096
kernel_stack N0=0 N1=0
file_mapped N0=400000 N1=0
`

void describe('memory by NUMA node', () => {
  each(
    [
      { name: 'v1, with the groups below', text: v1, version: 1 as const, gives: [5700, 89] },
      { name: 'v2, what it is made of', text: v2, version: 2 as const, gives: [2363392, 5096] },
    ],
    ({ text, version, gives }) =>
      assert.deepEqual([...parseNumaStat(text, version).values()], gives),
  )

  void test('a text that is something else is refused', () => {
    assert.throws(() => parseNumaStat('anon 5', 2), {
      message: 'parsing memory.numa_stat: expected a line such as anon N0=4096, got "anon 5"',
    })
  })

  void test('is read of a group, and of one without it there is nothing', () => {
    const mount = mkdtempSync(join(tmpdir(), 'mbcas-numa-'))
    after(() => rmSync(mount, { recursive: true }))
    for (const folder of ['cpu/a', 'cpuacct/a', 'memory/a', 'cpu/b']) {
      mkdirSync(join(mount, folder), { recursive: true })
    }
    writeFileSync(join(mount, 'memory/a/memory.numa_stat'), v1)
    const { numaMemory } = openCgroups({ mount })
    assert.deepEqual(
      [...(numaMemory?.({ path: 'a' }) ?? [])],
      [
        [0, 5700],
        [1, 89],
      ],
    )
    assert.equal(numaMemory?.({ path: 'b' }), undefined)
    assert.equal(numaMemory?.({ path: 'c' }), undefined)
  })

  void test('of this machine adds up to something', { skip: process.platform !== 'linux' }, (t) => {
    const { numaMemory, close } = openCgroups()
    const memory = numaMemory?.({ path: '' })
    close()
    if (memory === undefined) return t.skip('the kernel does not tell')
    assert.ok([...memory.values()].reduce((sum, amount) => sum + amount, 0) > 0)
  })
})
