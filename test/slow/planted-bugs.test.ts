/**
 * Tests that cannot fail are worth nothing: each bug planted here in the built solver must be seen by
 * at least three of the independent ways in which clearings are tested.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

/** The names under which the ways of testing report a failure. */
const ways: Readonly<Record<string, RegExp>> = {
  laws: /core\/market laws of/,
  'convex solver': /a convex solver/,
  'exact fractions': /exact rational arithmetic/,
  'every whole allocation': /trying every whole allocation/,
  verify: /core\/market: verify/,
  'price and Nash agree': /clearing by price alone/,
  examples: /what a clearing gives/,
}

type Bug = {
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
}

const bugs: readonly Bug[] = [
  {
    name: 'a vessel is full when the level is at its cap, however fast it fills',
    file: 'water-level',
    from: 'caps[i] / slopes[i]',
    to: 'caps[i]',
  },
  {
    name: 'the level forgets the vessels that are full',
    file: 'water-level',
    from: 'rest -= caps[i]; // a tie',
    to: 'rest -= 0; // a tie',
  },
  {
    name: 'the exact level is one step short',
    file: 'water-level',
    from: 'rest / slope), rise',
    to: '(rest - 1) / slope), rise',
  },
  {
    name: 'weights are ignored',
    file: 'mechanisms',
    from: 'slopes[i] = weights[i];',
    to: 'slopes[i] = 1;',
  },
  {
    name: 'fractions forget what was asked',
    file: 'mechanisms',
    from: 'slopes[i] = weights[i] * caps[i];',
    to: 'slopes[i] = weights[i];',
  },
  {
    name: 'the price is the level',
    file: 'mechanisms',
    from: 'price: 1 / level',
    to: 'price: level',
  },
  {
    name: 'a unit is worth one more than it is',
    file: 'mechanisms',
    from: 'Math.log1p(1 / units)',
    to: 'Math.log1p(1 / (units + 1))',
  },
  {
    name: 'units are cut off instead of shared out',
    file: 'mechanisms',
    from: 'Math.max(1, Math.ceil(bound))',
    to: 'Math.max(1, Math.floor(bound))',
  },
  {
    name: 'the last units go to the worst',
    file: 'whole-units',
    from: 'gains[a] > gains[b]',
    to: 'gains[a] < gains[b]',
  },
  {
    name: 'a need above the ceiling is met',
    file: 'read-bids',
    from: 'Math.min(Math.max(need, floor), ceiling) - floor',
    to: 'Math.max(need, floor) - floor',
  },
  {
    name: 'overload shares by weight alone',
    file: 'clear',
    from: "overloaded ? 'kalai-smorodinsky' : mechanism",
    to: "overloaded ? 'nash' : mechanism",
  },
]

void describe('planted bugs', () => {
  for (const bug of bugs) {
    void test(`at least three ways of testing see it: ${bug.name}`, (t) => {
      const seen = waysThatSee(bug)
      t.diagnostic(`${bug.name}: seen by ${seen.join(', ')}`)
      assert.ok(seen.length >= 3, `seen only by ${seen.join(', ') || 'none'}`)
    })
  }
})

/** A copy of what is built, in which one bug at a time is planted. */
const folder = mkdtempSync(join(tmpdir(), 'mbcas-bug-'))
before(() => {
  for (const part of ['dist', 'scripts', 'package.json'])
    cpSync(part, join(folder, part), { recursive: true })
  for (const part of ['node_modules', 'test'])
    symlinkSync(join(process.cwd(), part), join(folder, part))
})
after(() => rmSync(folder, { recursive: true }))

function waysThatSee(bug: Bug): string[] {
  const weed = plant(bug)
  try {
    const tests = ['laws', 'oracles', 'verify', 'primal-dual', 'clear'].map(
      (name) => `dist/src/core/market/${name}.test.js`,
    )
    const { stdout } = spawnSync(
      process.execPath,
      ['--test-reporter=./scripts/reporter.mjs', 'scripts/import-all.mjs', ...tests],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, MBCAS_NO_SHRINK: '1' },
        timeout: 300_000,
        maxBuffer: 1 << 28,
      },
    )
    const failures = stdout.split('\n').filter((line) => line.startsWith('✗'))
    return Object.entries(ways)
      .filter(([, pattern]) => failures.some((line) => pattern.test(line)))
      .map(([way]) => way)
  } finally {
    weed()
  }
}

/** Returns what takes it out again. */
function plant({ file, from, to }: Bug): () => void {
  const path = join(folder, 'dist', 'src', 'core', 'market', `${file}.js`)
  const text = readFileSync(path, 'utf8')
  assert.ok(text.includes(from), `${file}.js does not contain: ${from}`)
  writeFileSync(path, text.replace(from, to))
  return () => writeFileSync(path, text)
}
