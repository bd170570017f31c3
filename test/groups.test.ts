/** Every test file runs, once, in the group that its folder says. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { describe, test } from 'node:test'

import { each } from './each.ts'
import { root } from './run.ts'

type Groups = {
  readonly groups: readonly { readonly group: string }[]
  readonly commands: Readonly<Record<'check' | 'test' | 'all', readonly string[]>>
  readonly groupOf: (file: string) => string | undefined
  readonly findTests: () => string[]
}

// Imported where it lies, from dist/test: it is a script, which runs before any build.
const script = new URL('../../scripts/test-groups.mjs', import.meta.url)
const { groups, commands, groupOf, findTests } = (await import(script.href)) as Groups

/** By other means than the runner's: every file of the checkout that looks like a test. */
function testsOfCheckout(folder = root): string[] {
  const here = readdirSync(folder, { withFileTypes: true }).filter(
    ({ name }) => !name.startsWith('.') && !/^(node_modules|dist.*)$/.test(name),
  )
  return here.flatMap((entry) => {
    if (entry.isDirectory()) return testsOfCheckout(join(folder, entry.name))
    return /\.test\.(ts|tsx|js|mjs)$/.test(entry.name) ? [join(folder, entry.name)] : []
  })
}

const all = testsOfCheckout().map((file) => file.slice(root.length).split(sep).join('/'))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

void describe('groups of tests', () => {
  void test('each file that looks like a test is in exactly one', () => {
    assert.deepEqual(findTests(), all.toSorted())
    assert.deepEqual(
      all.filter((file) => groupOf(file) === undefined),
      [],
    )
  })

  void test('npm run test:all runs every group, once', () => {
    assert.deepEqual(commands.all.toSorted(), groups.map(({ group }) => group).toSorted())
    assert.deepEqual(
      [...commands.check, ...commands.test].filter((group) => !commands.all.includes(group)),
      [],
    )
  })

  each(
    [
      { name: 'a new file beside its source', file: 'src/core/new.test.ts', group: 'check' },
      { name: 'a new file in test', file: 'test/new.test.ts', group: 'check' },
      { name: 'a new file in a new folder of test', file: 'test/new/x.test.ts', group: 'check' },
      { name: 'a new file in test/e2e', file: 'test/e2e/real-new.test.ts', group: 'e2e' },
      { name: 'a new file in test/slow', file: 'test/slow/new.test.ts', group: 'slow' },
      { name: 'a new file in test/real', file: 'test/real/new.test.ts', group: 'real' },
    ],
    ({ file, group }) => assert.equal(groupOf(file), group),
  )

  void test('what starts a real cluster, a browser or a guest is in test/real', () => {
    const starts =
      /from '[./]*(kubernetes\/cluster|controller-scenes\/real-stage|qemu\/guest|web\/browser)\.ts'/
    assert.deepEqual(
      all.filter((file) => starts.test(read(file)) && groupOf(file) !== 'real'),
      [],
    )
  })

  each(
    [
      { name: 'npm test is check and test/e2e', script: 'test', ends: 'test.mjs test' },
      { name: 'npm run test:all is everything', script: 'test:all', ends: 'test.mjs all' },
      { name: 'npm run check is the quick part', script: 'check', ends: 'test.mjs check' },
    ],
    ({ script, ends }) => {
      const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
      assert.ok(scripts[script]?.endsWith(ends), scripts[script])
    },
  )

  void test('CI gets the real counterparts, then runs everything', () => {
    const lines = read('.ci/run').split('\n')
    const commands = lines.filter((line) => line.startsWith('npm '))
    assert.deepEqual(commands, ['npm run real:setup', 'npm run test:all'])
  })
})
