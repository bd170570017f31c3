/** The bench on the kernel in its quick form: its shape, since its figures need a machine at rest. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { whyNot } from '../bench/kernel.ts'
import { arms as all } from '../bench/kernel/arm.ts'
import type { ArmSummary, Verdict } from '../bench/kernel/summary.ts'
import { cpuGroupsNamed } from '../kubernetes/cgroups.ts'
import { run } from '../run.ts'

const main = fileURLToPath(new URL('../bench/main.js', import.meta.url))

/** Captain's targets differ by a number only. */
const captain = all.find(({ name }) => name.startsWith('Captain'))
const arms = all.filter((arm) => arm === captain || !arm.name.startsWith('Captain'))

void test(
  'the quick bench tells all arms, draws them and leaves nothing',
  { skip: whyNot() ?? false },
  async () => {
    const before = cpuGroupsNamed('mbcas-kernel-bench') // of others
    const folder = mkdtempSync(join(tmpdir(), 'mbcas-bench-kernel-'))
    try {
      const [out, svg] = [join(folder, 'out.json'), join(folder, 'arms.svg')]
      const names = arms.map(({ name }) => name).join(',')
      const flags = ['--quick', '--arms', names, '--out', out, '--svg', svg]
      const { code, stdout, stderr } = await run(process.execPath, [main, 'kernel', ...flags], {
        timeout: 600_000,
      })
      assert.equal(code, 0, stdout + stderr)
      const told = JSON.parse(readFileSync(out, 'utf8')) as {
        readonly summaries: readonly ArmSummary[]
        readonly verdicts: readonly Verdict[]
      }
      const picture = readFileSync(svg, 'utf8')
      assert.deepEqual(
        told.summaries.map(({ name }) => name),
        arms.map(({ name }) => name),
      )
      for (const { name, means, pooledP99 } of told.summaries) {
        assert.match(stdout, new RegExp(`^${name} `, 'm'))
        assert.ok(picture.includes(`>${name}<`))
        assert.ok(pooledP99 > 0)
        for (const [figure, { mean }] of Object.entries(means)) {
          assert.ok(Number.isFinite(mean), `${figure} of ${name}: ${mean}`)
        }
        assert.ok(means.allowedCores.mean > 0 && means.usedCores.mean > 0 && means.jain.mean <= 1)
      }
      const rivals = arms.filter(({ isOurs }) => !isOurs).length
      assert.equal(told.verdicts.length, rivals * (arms.length - rivals))
      assert.deepEqual(cpuGroupsNamed('mbcas-kernel-bench'), before)
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)
