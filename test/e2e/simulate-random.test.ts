/** `mbcas simulate --random` from outside: a table, JSON whose scenarios can be replayed, and what is refused. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { each } from '../each.ts'
import { mbcas } from '../run.ts'

type View = {
  readonly overall: readonly { readonly name: string; readonly missedRatio: number }[]
  readonly verdicts: readonly string[]
  readonly scenarios: readonly {
    readonly scenario: { readonly name: string }
    readonly arms: readonly { readonly name: string; readonly sloViolationRatio: number }[]
  }[]
}

const folder = mkdtempSync(join(tmpdir(), 'mbcas-random-'))
after(() => rmSync(folder, { recursive: true }))

void describe('scenarios drawn at random', () => {
  void test('are compared in one table, and each can be replayed with the same outcome', async () => {
    const flags = ['--random', '2', '--seed', '5', '--compare', 'unlimited,mbcas']
    const json = await mbcas(['simulate', ...flags, '-o', 'json'])
    assert.equal(json.code, 0, json.stderr)
    const view = JSON.parse(json.stdout) as View
    assert.deepEqual(
      view.overall.map(({ name }) => name),
      ['unlimited', 'mbcas'],
    )
    assert.equal(view.scenarios.length, 2)
    assert.match(
      json.stderr,
      /2 scenarios drawn from seed 5: 6 simulated minutes each under unlimited, mbcas/,
    )
    const [first] = view.scenarios
    assert.equal(first?.scenario.name, 'random-5-0')
    const file = join(folder, 'first.json')
    writeFileSync(file, JSON.stringify(first.scenario))
    const again = await mbcas([
      'simulate',
      '-f',
      file,
      '--compare',
      'unlimited,mbcas',
      '-o',
      'json',
    ])
    assert.equal(again.code, 0, again.stderr)
    assert.deepEqual((JSON.parse(again.stdout) as { arms: unknown }).arms, first.arms)
  })

  void test('are a line an arm, with what that means below', async () => {
    const { code, stdout } = await mbcas(['simulate', '--random', '1', '--compare', 'static,mbcas'])
    assert.equal(code, 0)
    const [titles = '', ...lines] = stdout.split('\n')
    assert.match(titles, /^ARM +MISSED +NOBODY BETTER +WORK +LEAST WORK +KEPT +PROMISED +TOO MUCH$/)
    assert.match(lines[0] ?? '', /^static +/)
    assert.match(lines[1] ?? '', /^mbcas +/)
    assert.match(stdout, /Where a written request covers what a workload wants, mbcas promises/)
  })

  each(
    [
      {
        name: 'a file as well',
        flags: ['--random', '1', '-f', 'overload'],
        says: /either --file or --random, got both/,
      },
      { name: 'neither', flags: [], says: /either --file or --random, got neither/ },
      {
        name: 'no scenario at all',
        flags: ['--random', '0'],
        says: /whole number from 1 to 10000/,
      },
      {
        name: 'a length of its own',
        flags: ['--random', '1', '--duration', '1m'],
        says: /no --duration with --random: all last 360 s/,
      },
      { name: 'a page', flags: ['--random', '1', '-o', 'html'], says: /no -o html with --random/ },
    ],
    async ({ flags, says }) => {
      const { code, stderr } = await mbcas(['simulate', ...flags])
      assert.equal(code, 2)
      assert.match(stderr, says)
    },
  )
})
