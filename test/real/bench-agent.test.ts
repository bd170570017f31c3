/** The bench of the agent in its quick form: its shape, since its figures need a machine at rest. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { whyNot } from '../bench/kernel.ts'
import { cpuGroupsNamed } from '../kubernetes/cgroups.ts'
import { real } from '../real.ts'
import { run } from '../run.ts'

const main = fileURLToPath(new URL('../bench/main.js', import.meta.url))

void test(
  'the quick bench tells CPU and memory of every agent and leaves nothing',
  { skip: whyNot() ?? false },
  async () => {
    const before = cpuGroupsNamed('mbcas-agent-bench') // of others
    const args = [main, 'agent', '--quick']
    const { code, stdout, stderr } = await run(process.execPath, args, { timeout: 600_000 })
    assert.equal(code, 0, stdout + stderr)
    const rows = stdout.split('\n').filter((line) => line.startsWith('v'))
    assert.equal(rows.length, real.node24.path === undefined ? 2 : 4, stdout)
    const mb = String.raw`\d+\.\d`
    const verdict = '(yes|NO) +'
    const shape = `^v2\\d\\S+ +(250|1000) ms +${mb} +(40|25) +${verdict}${mb} +${mb} +(65|75) +${verdict}${mb} +${mb}$`
    for (const row of rows) assert.match(row, new RegExp(shape))
    assert.match(stdout, /--max-old-space-size=\d+/)
    assert.deepEqual(cpuGroupsNamed('mbcas-agent-bench'), before)
  },
)
