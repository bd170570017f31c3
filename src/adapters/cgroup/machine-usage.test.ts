import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { each } from '../../../test/each.ts'
import type { Hierarchy } from './hierarchy.ts'
import { openMachineCpuTime } from './machine-usage.ts'

const ticks = 'cpu  30 5 20 4000 9 1 4 100 30 5\ncpu0 15 3 10 2000 5 0 2 50 15 3\nintr 5 0 0\n'

each(
  [
    {
      name: 'of v1 it is that of the root',
      version: 1,
      files: { 'cpuacct.usage': '945480137195\n' },
      gives: 945_480_137,
    },
    {
      name: 'of v2 it is that of the root, which has no throttling',
      version: 2,
      files: { 'cpu.stat': 'usage_usec 4711\nuser_usec 4000\nsystem_usec 711\n' },
      gives: 4711,
    },
    {
      name: 'without a file of the root it is what all CPUs did but idle, wait and were stolen',
      version: 2,
      files: { 'proc-stat': ticks },
      gives: 600_000,
    },
    { name: 'with neither it is unknown', version: 1, files: {}, gives: undefined },
  ],
  ({ version, files, gives }) => {
    const mount = mkdtempSync(join(tmpdir(), 'mbcas-machine-'))
    for (const [name, text] of Object.entries(files)) writeFileSync(join(mount, name), text ?? '')
    const hierarchy: Hierarchy =
      version === 2 ? { version: 2, unified: mount } : { version: 1, cpu: mount, cpuacct: mount }
    const time = openMachineCpuTime(hierarchy, join(mount, 'proc-stat'))
    assert.equal(time.micros(), gives)
    time.close()
    rmSync(mount, { recursive: true })
  },
)
