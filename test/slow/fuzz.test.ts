/** A minute of `npm run fuzz`. Each day asks other questions; what fails is repeated by its seed and number. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('../fuzz/main.js', import.meta.url))
const day = 24 * 60 * 60 * 1000

async function fuzz(...flags: readonly string[]): Promise<{ code: unknown; output: string }> {
  const child = spawn(process.execPath, [script, ...flags])
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  const [code] = (await once(child, 'close')) as unknown[]
  return { code, output }
}

void test('no parser and no endpoint hangs, aborts or breaks on a minute of inputs', async () => {
  const seed = process.env['MBCAS_FUZZ_SEED'] ?? String(Math.floor(Date.now() / day))
  const { code, output } = await fuzz('--seconds', '60', '--seed', seed)
  assert.equal(code, 0, output)
})

void test('an unknown target is refused with those that are known', async () => {
  const { code, output } = await fuzz('--target', 'nothing')
  assert.equal(code, 2)
  assert.match(output, /expected --target to be one of .*quantity.*, got nothing/)
})
