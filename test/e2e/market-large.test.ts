/** Markets of many bids: time, pipes, and prices that go on from the last one. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import type { MarketResult } from '../../src/apis/market-file.ts'
import { seededRandom } from '../../src/core/random.ts'
import { each } from '../each.ts'
import { mbcas, type Ran, root, run, withPath } from '../run.ts'

const folder = mkdtempSync(join(tmpdir(), 'mbcas-large-'))
after(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

async function clear(args: readonly string[], input = ''): Promise<MarketResult> {
  const { code, stdout, stderr } = await mbcas(['market', 'clear', '-o', 'json', ...args], {
    input,
  })
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  return JSON.parse(stdout) as MarketResult
}

/** Congested: the floors add up to about 250m a bid, the needs to 1250m. */
function largeMarket(count: number): string {
  const random = seededRandom(3)
  const amount = (most: number): number => Math.floor(random() * most)
  const bids = Array.from({ length: count }, (_, i) => {
    const floor = amount(500)
    const need = floor + amount(2000)
    return { id: `pod-${i}`, floor: `${floor}m`, need, ceiling: 3000, weight: 0.1 + random() }
  })
  return JSON.stringify({ capacity: 800 * count, bids })
}

void describe('mbcas market clear: prices that go on from the last one', () => {
  const input = largeMarket(100)
  const byPrice = ['--mechanism', 'primal-dual']

  void test('the price of the same market is found at once', async () => {
    const { price, iterations } = await clear(byPrice, input)
    const warm = await clear([...byPrice, '--start-price', String(price)], input)
    assert.equal(warm.iterations, 1)
    assert.ok(Number(iterations) > 1, `${iterations} prices from 0`)
  })

  void test('the price of a market that has changed a little is found in fewer steps', async () => {
    const { price } = await clear(byPrice, input)
    const changed = [...byPrice, '--capacity', '80100m']
    const cold = await clear(changed, input)
    const warm = await clear([...changed, '--start-price', String(price)], input)
    assert.deepEqual(
      warm.allocations.map(({ millicores }) => millicores),
      cold.allocations.map(({ millicores }) => millicores),
    )
    const counts = `${warm.iterations} prices from the last one, ${cold.iterations} from 0`
    assert.ok(Number(warm.iterations) < Number(cold.iterations), counts)
  })
})

void describe('mbcas market clear: large markets', () => {
  const shell = async (script: string, path: string): Promise<Ran> =>
    run('sh', ['-c', script], { env: { ...withPath(join(root, 'bin')), path } })

  void test('100,000 bids are cleared and verified', async (t) => {
    const path = file('large.json', largeMarket(100_000))
    const start = performance.now()
    const result = await clear(['-f', path])
    assert.equal(result.mode, 'congested')
    assert.equal(
      result.allocations.reduce((sum, { millicores }) => sum + millicores, 0),
      80_000_000,
    )
    const claimed = file('large-result.json', JSON.stringify(result))
    const { code, stdout } = await mbcas(['market', 'verify', '-f', path, '--result', claimed])
    const right = `${claimed} is a valid clearing of ${path}\n`
    assert.deepEqual({ code, stdout }, { code: 0, stdout: right })
    const seconds = (performance.now() - start) / 1000
    t.diagnostic(`100,000 bids cleared and verified in ${seconds.toFixed(1)} s`)
  })

  void test('200,000 bids come through a pipe, and make a table', async () => {
    const path = file('larger.json', largeMarket(200_000))
    const { code, stdout, stderr } = await shell('cat "$path" | mbcas market clear', path)
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    assert.match(stdout, /^pod-199999 gets /m)
  })

  each(
    ['table', 'json', 'yaml'].map((format) => ({
      name: `head may stop reading the ${format}`,
      format,
    })),
    async ({ format }) => {
      const path = file(`to-${format}.json`, largeMarket(5000))
      const script = `{ mbcas market clear -f "$path" -o ${format}; echo "code $?" >&2; } | head -1`
      const { stdout, stderr } = await shell(script, path)
      assert.equal(stderr, 'code 0\n')
      assert.equal(stdout.split('\n').length, 2)
    },
  )
})
