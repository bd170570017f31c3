/** The bench on the kernel in its quick form: its shape, since its figures need a machine at rest. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { whyNot } from '../bench/kernel.ts'
import { arms } from '../bench/kernel/arm.ts'
import { groupPrefix, type Repeated } from '../bench/kernel/contest.ts'
import { cpuGroupsNamed } from '../kubernetes/cgroups.ts'
import { run } from '../run.ts'

const main = fileURLToPath(new URL('../bench/main.js', import.meta.url))

void test(
  'the quick bench reports every group of every arm and leaves nothing',
  { skip: whyNot() ?? false },
  async () => {
    const before = cpuGroupsNamed(groupPrefix) // of others
    const folder = mkdtempSync(join(tmpdir(), 'mbcas-bench-kernel-'))
    try {
      const out = join(folder, 'out.json')
      const flags = ['--quick', '--seed', '7', '--out', out]
      const { code, stdout, stderr } = await run(process.execPath, [main, 'kernel', ...flags], {
        timeout: 600_000,
      })
      assert.equal(code, 0, stdout + stderr)
      assert.match(stdout, /seed 7/)
      const [, ...lines] = readFileSync(out, 'utf8').trim().split('\n')
      const passes = lines.map((line) => JSON.parse(line) as Repeated)
      assert.equal(passes.length, 2 * arms.length - 1)
      for (const { scene, arm, groups } of passes) {
        const expected = scene === 'each-other' ? 4 : arm === 'alone' ? 1 : 2
        assert.equal(groups.length, expected, `${scene}, ${arm}`)
        for (const { name, calm, usedCores } of groups) {
          const where = `${scene}, ${arm}, ${name}`
          assert.match(stdout, new RegExp(`^${name} +${arm} +[\\d-]`, 'm'))
          assert.ok(usedCores > 0, where)
          assert.ok(name === 'hog' || (calm !== undefined && calm.p99 >= calm.p50), where)
        }
      }
      assert.match(stdout, /^beside-hog +service +p99 to alone +\d/m)
      assert.deepEqual(cpuGroupsNamed(groupPrefix), before)
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)
