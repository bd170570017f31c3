/** `mbcas market clear` as a user starts it: what goes in, what comes out. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { parse as parseYaml } from 'yaml'

import type { MarketResult } from '../../src/apis/market-file.ts'
import { each } from '../each.ts'
import { mbcas } from '../run.ts'

const folder = mkdtempSync(join(tmpdir(), 'mbcas-market-'))
after(() => rmSync(folder, { recursive: true }))

/** Each test waits for a process of its own. */
const together = { concurrency: 4 }

/** 700m above the floors. By weight (Nash): 4, 1 and 2 times 100m. By tenths of the widths
 * (Kalai-Smorodinsky): 4 x 1000m, 1 x 2000m and 2 x 500m. */
const market = {
  capacity: 1000,
  bids: [
    { id: 'c', floor: 100, need: 1100, ceiling: 3000, weight: 4 },
    { id: 'a', floor: 100, need: 2100, ceiling: 3000, weight: 1 },
    { id: 'b', floor: 100, need: 600, ceiling: 3000, weight: 2 },
  ],
}
const byNash = { c: 500, a: 200, b: 300 }
const byFractions = { c: 500, a: 300, b: 200 }
const json = JSON.stringify(market)
const yaml = `# Quantities in every way of writing them.
capacity: 1000m
bids:
- {id: c, floor: 0.1e3, need: "1.1", ceiling: 3000m, weight: 4}
- {id: a, floor: "0.1", need: "2.1", ceiling: "3", weight: 1}
- id: b
  floor: 100000u
  need: "6e-1"
  ceiling: "3"
  weight: 2
`

/** The answer must be on stdout, and nothing on stderr. */
async function answer(args: readonly string[], input = json): Promise<string> {
  const { code, stdout, stderr } = await mbcas(['market', 'clear', ...args], { input })
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  return stdout
}

const clear = async (args: readonly string[], input?: string): Promise<MarketResult> =>
  JSON.parse(await answer([...args, '-o', 'json'], input)) as MarketResult

const gives = (result: MarketResult): Record<string, number> =>
  Object.fromEntries(result.allocations.map(({ id, millicores }) => [id, millicores]))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

void describe('mbcas market clear: where the market comes from', together, () => {
  each(
    [
      { name: 'JSON from standard input', args: [], input: json },
      { name: 'JSON from standard input by -f -', args: ['-f', '-'], input: json },
      { name: 'YAML from standard input', args: [], input: yaml },
      { name: 'a JSON file', args: ['-f', file('m.json', json)] },
      { name: 'a YAML file', args: ['--file', file('m.yaml', yaml)] },
      { name: 'a file whose name tells nothing', args: ['-f', file('a market', yaml)] },
      { name: 'a file with a byte order mark', args: ['-f', file('bom.json', `\uFEFF${json}`)] },
      { name: 'a file with line ends of Windows', args: [], input: yaml.replaceAll('\n', '\r\n') },
    ],
    async ({ args, input }) => assert.deepEqual(gives(await clear(args, input ?? '')), byNash),
  )

  void test('a relative path is seen from where the command is started', async () => {
    file('here.json', json)
    const args = ['market', 'clear', '-f', 'here.json']
    const { code, stdout } = await mbcas(args, { cwd: folder })
    assert.equal(code, 0)
    assert.match(stdout, /^congested: 1000m shared by nash\n/)
  })
})

void describe('mbcas market clear: flags win over the file', together, () => {
  each(
    [
      { name: 'Nash if neither says', args: [], gives: byNash },
      { name: 'a mechanism in the file', says: 'kalai-smorodinsky', args: [], gives: byFractions },
      {
        name: 'a mechanism by flag and not in the file',
        args: ['--mechanism', 'kalai-smorodinsky'],
        gives: byFractions,
      },
      {
        name: 'a mechanism by flag over another in the file',
        says: 'kalai-smorodinsky',
        args: ['--mechanism', 'nash'],
        gives: byNash,
      },
      { name: 'prices alone find the same as Nash', args: ['--mechanism', 'primal-dual'] },
      {
        name: 'a capacity by flag over another in the file',
        args: ['--capacity', '1350m'],
        gives: { c: 700, a: 250, b: 400 },
      },
      {
        name: 'a bare number by flag is millicores',
        args: ['--capacity', '1350'],
        gives: { c: 700, a: 250, b: 400 },
      },
      {
        name: 'a capacity by flag and not in the file',
        without: 'capacity',
        args: ['--capacity', '1000000u'],
      },
    ],
    async ({ says, without, args, gives: wanted = byNash }) => {
      const entries = Object.entries({ ...market, mechanism: says }).filter(
        ([key]) => key !== without,
      )
      const result = await clear(args, JSON.stringify(Object.fromEntries(entries)))
      assert.deepEqual(gives(result), wanted)
    },
  )
})

void describe('mbcas market clear: what it prints', together, () => {
  const keys = [
    'mode',
    'mechanism',
    'capacity',
    'price',
    'slack',
    'allocations',
    'certificate',
  ] as const
  each(
    [
      { name: 'nash prints the documented keys', mechanism: 'nash', keys },
      {
        name: 'kalai-smorodinsky prints the documented keys',
        mechanism: 'kalai-smorodinsky',
        keys,
      },
      {
        name: 'primal-dual prints the documented keys, and how many prices it took',
        mechanism: 'primal-dual',
        keys: [...keys, 'iterations'],
      },
    ],
    async ({ mechanism, keys }) => {
      const result = await clear(['--mechanism', mechanism])
      assert.deepEqual(Object.keys(result), keys)
      assert.deepEqual(Object.keys(result.certificate), ['primal', 'dual', 'complementarity'])
      for (const allocation of result.allocations) {
        assert.deepEqual(Object.keys(allocation), ['id', 'millicores', 'exact', 'reason'])
      }
    },
  )

  void test('the values are those of the market', async () => {
    const { allocations, price, certificate, ...rest } = await clear([])
    assert.deepEqual(rest, { mode: 'congested', mechanism: 'nash', capacity: 1000, slack: 0 })
    assert.ok(price !== null && Math.abs(price - 0.01) < 1e-15, `price ${price}`)
    assert.ok(Object.values(certificate).every((residual) => residual >= 0 && residual < 1e-12))
    assert.deepEqual(
      allocations.map(({ id, exact }) => [id, Math.round(exact * 1e9) / 1e9]),
      [
        ['c', 500],
        ['a', 200],
        ['b', 300],
      ],
    )
    assert.match(allocations[1]?.reason ?? '', /gets 200m of the 2100m it needs: .* weight 1/)
  })

  void test('the allocations come in the order of the input, whatever the order', async () => {
    const bids = market.bids.toReversed()
    const result = await clear([], JSON.stringify({ ...market, bids }))
    assert.deepEqual(Object.keys(gives(result)), ['b', 'a', 'c'])
    assert.deepEqual(gives(result), byNash)
  })

  void test('YAML says the same as JSON', async () => {
    assert.deepEqual(parseYaml(await answer(['-o', 'yaml'])), await clear([]))
  })

  void test('without -o it is a table with a reason for each bid', async () => {
    const printed = await answer([])
    assert.equal(printed, await answer(['-o', 'table']))
    assert.match(printed, /^congested: 1000m shared by nash\nprice 0\.01 per millicore, slack 0m/)
    assert.match(printed, /^BID +FLOOR +NEED +CEILING +WEIGHT +GETS +OF ITS NEED$/m)
    assert.match(printed, /^c +100m +1100m +3000m +4 +500m +█+/m)
    for (const { id } of market.bids) assert.match(printed, new RegExp(`^${id} gets `, 'm'))
    assert.deepEqual(
      printed.split('\n').filter((line) => line.length > 80),
      [],
    )
  })

  void test('a market without bids is uncongested', async () => {
    const result = await clear([], '{"capacity": "2", "bids": []}')
    assert.deepEqual(
      { mode: result.mode, price: result.price, slack: result.slack, all: result.allocations },
      { mode: 'uncongested', price: 0, slack: 2000, all: [] },
    )
  })
})
