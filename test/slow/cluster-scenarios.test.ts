/** The example scenarios through the command: the same seed repeats a run, byte for byte. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { root, run } from '../run.ts'

const folder = mkdtempSync(join(tmpdir(), 'mbcas-scenarios-'))
after(() => rmSync(folder, { recursive: true }))
const scenarios = readdirSync(join(root, 'examples', 'scenarios'))
  .filter((file) => file.endsWith('.yaml'))
  .toSorted()
let runs = 0

/** The event log of a run. */
async function play(scenario: string, ...flags: readonly string[]): Promise<string> {
  const log = join(folder, `${(runs += 1)}.jsonl`)
  const args = ['--scenario', join('examples', 'scenarios', scenario), '--events', log]
  const command = ['dist/src/main.js', 'cluster', ...args, '--speed', 'max', ...flags]
  const { code, stdout, stderr } = await run(process.execPath, command)
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  assert.match(stdout, /^ready: https:\/\/127\.0\.0\.1:\d+\n/)
  assert.match(stdout, /\ndone: \d+ simulated seconds in [\d.]+ s, \d+ versions\n$/)
  return readFileSync(log, 'utf8')
}

type Line = { readonly at: string; readonly change: string; readonly resource: string }
const linesOf = (log: string): readonly Line[] =>
  log
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

void describe('scenarios', () => {
  assert.ok(scenarios.length >= 2)
  for (const scenario of scenarios) {
    void test(`${scenario}: the same seed gives the same log, another seed another`, async () => {
      const [one, other, seeded, short] = await Promise.all([
        play(scenario),
        play(scenario),
        play(scenario, '--seed', '4711'),
        play(scenario, '--duration', '3m'),
      ])
      assert.ok(linesOf(one).length > 100)
      assert.ok(one === other, 'two runs of one seed differ')
      assert.notEqual(one, seeded)
      assert.ok(short.length < one.length && one.startsWith(short), 'a short run is no beginning')
    })
  }

  void test('node-loss.yaml: the pods of the lost node come again elsewhere', async () => {
    const lines = linesOf(await play('node-loss.yaml'))
    const from = (minute: number, to: number) =>
      lines.filter(({ at }) => {
        const minutes = (Date.parse(at) - Date.UTC(2026, 0, 1)) / 60_000
        return minutes >= minute && minutes < to
      })
    const count = (some: readonly Line[], change: string, resource: string) =>
      some.filter((line) => line.change === change && line.resource === resource).length
    assert.ok(count(from(2, 4), 'MODIFIED', 'nodes') > 0)
    assert.ok(count(from(2, 6), 'ADDED', 'pods') > 0)
    assert.ok(count(from(6, 7), 'DELETED', 'pods') > 0)
    assert.equal(count(from(7, 8), 'ADDED', 'pods'), 2)
  })
})
