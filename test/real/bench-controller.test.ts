/** The bench of the controller in its quick form: its shape, and that nothing is asked for twice. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { realCluster, skipUnless } from '../real.ts'
import { run } from '../run.ts'

const main = fileURLToPath(new URL('../bench/main.js', import.meta.url))

void test(
  'the quick bench tells time, requests, CPU and memory on both servers',
  { skip: skipUnless(...realCluster) },
  async () => {
    const args = [main, 'controller', '--quick']
    const { code, stdout, stderr } = await run(process.execPath, args)
    assert.equal(code, 0, stdout + stderr)
    const rows = stdout.split('\n').filter((line) => /^(embedded|real)/.test(line))
    assert.equal(rows.length, 2, stdout)
    const seconds = String.raw`\d+\.\d s +`
    const shape = `^(embedded cluster|real kube-apiserver) +100 +(${seconds}){5}\\d+ MB +100 +100 +\\d+ +\\d+$`
    for (const row of rows) assert.match(row, new RegExp(shape))
    assert.match(stdout, /98\.8 s/)
  },
)
