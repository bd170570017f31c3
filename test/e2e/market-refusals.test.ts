/** What `mbcas` cannot use: exit code 2, a message on stderr that tells where, nothing on stdout. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { each } from '../each.ts'
import { mbcas, root } from '../run.ts'

const folder = mkdtempSync(join(tmpdir(), 'mbcas-refusals-'))
after(() => rmSync(folder, { recursive: true }))

/** Each test waits for a process of its own. */
const together = { concurrency: 4 }

async function assertRefused(args: readonly string[], input: string, says: string): Promise<void> {
  const { code, stdout, stderr } = await mbcas(args, { input })
  assert.deepEqual({ code, stdout }, { code: 2, stdout: '' })
  assert.ok(stderr.includes(says), `expected ${says}\ngot ${stderr}`)
  assert.doesNotMatch(stderr, /^ +at /m) // a stack is for our bugs
}

const good = { id: 'good', floor: 1, need: 2, ceiling: 3, weight: 1 }
const withBid = (change: object): string =>
  JSON.stringify({ capacity: 1000, bids: [good, { ...good, id: 'x', ...change }] })

void describe('mbcas market clear: documents that are refused', together, () => {
  each(
    [
      {
        name: 'neither JSON nor YAML',
        input: '{"capacity": 1, "bids": [',
        says: 'mbcas: reading standard input: Flow sequence in block collection must be',
      },
      { name: 'broken indentation', input: 'a: b: c', says: 'at line 1, column 4' },
      {
        name: 'nothing',
        input: '',
        says: 'mbcas: reading standard input: expected a document, got nothing',
      },
      { name: 'nothing but white space', input: ' \n\n', says: 'expected a document, got nothing' },
      {
        name: 'nothing but a comment',
        input: '# soon',
        says: 'standard input: expected an object',
      },
      {
        name: 'a word',
        input: 'hello',
        says: 'standard input: expected an object with capacity, mechanism and bids, got "hello"',
      },
      {
        name: 'a list',
        input: '[1, 2]',
        says: 'standard input: expected an object with capacity, mechanism and bids, got a list',
      },
      {
        name: 'several documents',
        input: 'capacity: 1\n---\ncapacity: 2\n',
        says: 'reading standard input: expected one document, got several',
      },
      {
        name: 'a tag that means nothing here',
        input: '{capacity: !secret 1, bids: []}',
        says: 'Unresolved tag: !secret at line 1, column 12',
      },
      {
        name: 'a key twice',
        input: 'capacity: 1\ncapacity: 2\nbids: []',
        says: 'Map keys must be unique at line 2, column 1',
      },
      {
        name: 'no bids',
        input: '{"capacity": 1}',
        says: 'standard input: expected bids, got nothing',
      },
      {
        name: 'bids that are no list',
        input: '{"capacity": 1, "bids": {}}',
        says: 'standard input: expected bids to be a list of bids, got an object',
      },
      {
        name: 'no capacity',
        input: '{"bids": []}',
        says: 'standard input: expected capacity, got nothing; write it into the file or give --capacity',
      },
      {
        name: 'a negative capacity',
        input: '{"capacity": "-5m", "bids": []}',
        says: 'market: expected capacity to be a whole number of 0 or more, got -5',
      },
      {
        name: 'a capacity that is not a number',
        input: '{capacity: .nan, bids: []}',
        says: 'standard input: expected capacity to be millicores such as "100m", "0.1" or 100, got NaN',
      },
      {
        name: 'a capacity without end',
        input: '{capacity: .inf, bids: []}',
        says: 'standard input: capacity: expected a whole number of millicores, got Infinity',
      },
      {
        name: 'a mechanism that nobody knows',
        input: '{"capacity": 1, "mechanism": "auction", "bids": []}',
        says: 'standard input: expected mechanism to be nash, kalai-smorodinsky or primal-dual, got "auction"',
      },
      {
        name: 'a key near a known one',
        input: '{"capcity": 1, "bids": []}',
        says: 'standard input: unknown key "capcity"; did you mean "capacity"?',
      },
      {
        name: 'a key far from all known ones',
        input: '{"capacity": 1, "bids": [], "colour": "red"}',
        says: 'standard input: unknown key "colour"; known are capacity, mechanism, bids',
      },
    ],
    async ({ input, says }) => assertRefused(['market', 'clear'], input, says),
  )
})

void describe('mbcas market clear: bids that are refused, by name and field', together, () => {
  each(
    [
      {
        name: 'a floor above the ceiling',
        input: withBid({ floor: '5m' }),
        says: 'bid "x": expected floor to be at most its ceiling of 3, got 5',
      },
      {
        name: 'a weight of 0',
        input: withBid({ weight: 0 }),
        says: 'bid "x": expected weight to be from 1e-9 to 1000000000, got 0',
      },
      {
        name: 'a negative weight',
        input: withBid({ weight: -1 }),
        says: 'bid "x": expected weight to be from 1e-9 to 1000000000, got -1',
      },
      {
        name: 'a weight in quotes',
        input: withBid({ weight: '1' }),
        says: 'bid "x": expected weight to be a number, got "1"',
      },
      {
        name: 'a weight that is not a number',
        input: '{capacity: 9, bids: [{id: x, floor: 1, need: 2, ceiling: 3, weight: .nan}]}',
        says: 'bid "x": expected weight to be a number, got NaN',
      },
      {
        name: 'a need without end',
        input: '{capacity: 9, bids: [{id: x, floor: 1, need: .inf, ceiling: 3, weight: 1}]}',
        says: 'bid "x": need: expected a whole number of millicores, got Infinity',
      },
      {
        name: 'a negative floor',
        input: withBid({ floor: -1 }),
        says: 'bid "x": expected floor to be a whole number of 0 or more, got -1',
      },
      {
        name: 'parts of a millicore',
        input: withBid({ need: 1.5 }),
        says: 'bid "x": need: expected a whole number of millicores, got 1.5',
      },
      {
        name: 'a quantity with a wrong suffix, by its position',
        input: withBid({ ceiling: '100mm' }),
        says: 'bid "x": ceiling: parsing quantity "100mm": expected a suffix such as m, k, Ki or e3, got "mm" at character 4',
      },
      {
        name: 'a quantity without a number, by its position',
        input: withBid({ ceiling: 'lots' }),
        says: 'expected a number such as 1 or 0.5, got "lots" at character 1',
      },
      {
        name: 'an id of two bids',
        input: withBid({ id: 'good' }),
        says: 'bid "good": expected id to be of one bid only, but bids 1 and 2 share it',
      },
      {
        name: 'an id that is a number, by its place',
        input: withBid({ id: 7 }),
        says: 'bid 2: expected id to be a name, got 7',
      },
      {
        name: 'an empty id, by its place',
        input: withBid({ id: '' }),
        says: 'bid 2: expected id to be a name, got ""',
      },
      {
        name: 'a mistyped key',
        input: withBid({ wieght: 1 }),
        says: 'bid "x": unknown key "wieght"; did you mean "weight"?',
      },
      {
        name: 'a missing key',
        input: JSON.stringify({ capacity: 1, bids: [{ id: 'x', floor: 1, need: 1, weight: 1 }] }),
        says: 'bid "x": expected ceiling, got nothing',
      },
      {
        name: 'a bid that is a number, by its place',
        input: '{"capacity": 1, "bids": [7]}',
        says: 'bid 1: expected an object with id, floor, need, ceiling and weight, got 7',
      },
      {
        name: 'every fault at once',
        input: withBid({ floor: '?', weight: null }),
        says: 'mbcas: standard input: bid "x": expected weight to be a number, got null',
      },
    ],
    async ({ input, says }) => assertRefused(['market', 'clear'], input, says),
  )
})

void describe('mbcas: command lines that are refused', together, () => {
  const market = JSON.stringify({ capacity: 1000, bids: [good] })
  const path = join(folder, 'market.json')
  writeFileSync(path, market)
  const missing = join(folder, 'nowhere.yaml')
  each(
    [
      { name: 'no command', args: [], says: 'Usage: mbcas' },
      { name: 'an unknown command', args: ['markt'], says: "error: unknown command 'markt'" },
      {
        name: 'an unknown command of the market',
        args: ['market', 'clera'],
        says: "unknown command 'clera'",
      },
      {
        name: 'an unknown flag',
        args: ['market', 'clear', '--capacty', '1'],
        says: "error: unknown option '--capacty'\n(Did you mean --capacity?)",
      },
      {
        name: 'a word too many',
        args: ['market', 'clear', path],
        says: "error: too many arguments for 'clear'",
      },
      {
        name: 'a flag without its value',
        args: ['market', 'clear', '--capacity'],
        says: "error: option '--capacity <cpu>' argument missing",
      },
      {
        name: 'an unknown mechanism',
        args: ['market', 'clear', '--mechanism', 'auction'],
        says: 'Allowed choices are nash, kalai-smorodinsky, primal-dual.',
      },
      {
        name: 'an unknown format',
        args: ['market', 'clear', '-o', 'xml'],
        says: 'Allowed choices are table, json, yaml.',
      },
      {
        name: 'a capacity that is no quantity, by its position',
        args: ['market', 'clear', '--capacity', '1.2.3'],
        says: 'parsing quantity "1.2.3": expected a suffix such as m, k, Ki or e3, got ".3" at character 4',
      },
      {
        name: 'a negative capacity, which is millicores as in the file',
        args: ['market', 'clear', '--capacity', '-5'],
        says: 'market: expected capacity to be a whole number of 0 or more, got -5\n',
      },
      {
        name: 'a negative start price',
        args: ['market', 'clear', '--start-price', '-1'],
        says: 'expected a number of 0 or more, got "-1"',
      },
      {
        name: 'a file that is not there',
        args: ['market', 'clear', '-f', missing],
        says: `mbcas: reading ${missing}: there is no such file\n`,
      },
      {
        name: 'a folder',
        args: ['market', 'clear', '-f', folder],
        says: `mbcas: reading ${folder}: it is a folder\n`,
      },
      {
        name: 'verify without a result',
        args: ['market', 'verify', '-f', path],
        says: "error: required option '--result <file>' not specified",
      },
      {
        name: 'verify with a result that is not there',
        args: ['market', 'verify', '-f', path, '--result', missing],
        says: `mbcas: reading ${missing}: there is no such file\n`,
      },
      {
        name: 'verify with the market and the result from one standard input',
        args: ['market', 'verify', '--result', '-'],
        says: 'expected the market or the result, got both; name a file with -f',
      },
    ],
    async ({ args, says }) => assertRefused(args, market, says),
  )
})

void describe('mbcas: help and version', together, () => {
  each(
    [['--help'], ['-h'], ['help'], ['market', '--help'], ['market', 'clear', '-h']].map((args) => ({
      name: `mbcas ${args.join(' ')} prints the usage and is no error`,
      args,
    })),
    async ({ args }) => {
      const { code, stdout, stderr } = await mbcas(args)
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
      assert.match(stdout, /^Usage: mbcas /)
    },
  )

  void test('--version prints the version of the package', async () => {
    const text = readFileSync(join(root, 'package.json'), 'utf8')
    const { version } = JSON.parse(text) as { version: string }
    const { code, stdout } = await mbcas(['--version'])
    assert.deepEqual({ code, stdout }, { code: 0, stdout: `${version}\n` })
  })
})
