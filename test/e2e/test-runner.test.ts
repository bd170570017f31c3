/** `scripts/test.mjs` on tests planted in a folder of their own: what it runs, tells and ends with. */
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { each } from '../each.ts'
import { type Ran, root, run } from '../run.ts'

const folder = mkdtempSync(join(tmpdir(), 'mbcas-runner-'))
after(() => rmSync(folder, { recursive: true }))

/** A test file, as it would be after a build. */
function plant(file: string, body: string): void {
  const imports = "import assert from 'node:assert/strict'; import { test } from 'node:test';"
  const built = join(folder, 'dist', file.replace(/\.ts$/, '.js'))
  for (const path of [built, join(folder, file)]) mkdirSync(dirname(path), { recursive: true })
  writeFileSync(join(folder, file), '')
  writeFileSync(built, `${imports} ${body}`)
}

before(() => {
  for (const part of ['scripts', 'package.json'])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const part of ['src', 'web']) mkdirSync(join(folder, part))
  plant('test/good.test.ts', "test('good', () => {})")
  plant('test/e2e/bad.test.ts', "test('bad', () => assert.equal(1, 2))")
  plant('test/e2e/crash.test.ts', 'process.exit(3)')
  plant('test/slow/long.test.ts', "test('long', () => {})")
  const reason = 'no cluster; run npm run real:setup'
  plant('test/real/needy.test.ts', `test('needy', { skip: '${reason}' }, () => {})`)
})

const runner = async (args: readonly string[], ci = ''): Promise<Ran & { last: string }> => {
  const ran = await run(process.execPath, ['scripts/test.mjs', ...args], {
    cwd: folder,
    env: { CI: ci },
  })
  return { ...ran, last: ran.stdout.trimEnd().split('\n').at(-1) ?? '' }
}

void describe('the runner of the tests', () => {
  each(
    [
      {
        name: 'a test that passes',
        args: ['good'],
        code: 0,
        last: '1 passed, 0 failed, 0 skipped',
      },
      { name: 'a test that fails', args: ['bad'], code: 1, last: '0 passed, 1 failed, 0 skipped' },
      {
        name: 'a process that ends before its tests do',
        args: ['crash'],
        code: 1,
        last: '0 passed, 1 failed, 0 skipped',
      },
      {
        name: 'words that choose in every group',
        args: ['good', 'long', 'needy'],
        code: 0,
        last: '2 passed, 0 failed, 1 skipped',
      },
      {
        name: 'words that choose within a group',
        args: ['test', 'good', 'long', 'needy'],
        code: 0,
        last: '1 passed, 0 failed, 0 skipped',
      },
      {
        name: 'a failure in each of several runs',
        args: ['bad', 'good', '--repeat', '3'],
        code: 1,
        last: '3 passed, 3 failed, 0 skipped',
      },
    ],
    async ({ args, code, last }) => {
      const ran = await runner(args)
      assert.deepEqual({ code: ran.code, last: ran.last }, { code, last }, ran.stdout + ran.stderr)
    },
  )

  void test('a skipped test is told with the remedy, and is a failure under CI=true', async () => {
    const { code, stdout } = await runner(['needy'])
    assert.equal(code, 0)
    assert.match(stdout, /^skipped:\n {2}- needy: no cluster; run npm run real:setup$/m)
    const refused = await runner(['needy'], 'true')
    assert.equal(refused.code, 1)
    assert.match(refused.stdout, /^under CI=true a skipped test is a failure$/m)
  })

  void test('the slowest are listed with their seconds, and failures are counted over runs', async () => {
    const { stdout } = await runner(['bad', 'good', '--repeat', '2', '--busy', '1'])
    assert.match(stdout, /^slowest:(\n +\d+\.\d s {2}\S+){2}$/m)
    assert.match(stdout, /^2 of 2 runs: ✗ bad$/m)
  })

  each(
    [
      { name: 'nothing to run', args: [], says: /^expected check, test, all or words of/ },
      {
        name: 'a word that no path has',
        args: ['none'],
        says: /^no test file's path contains none/,
      },
      { name: 'no run', args: ['good', '--repeat', '0'], says: /^--repeat: .* from 1, got 0/ },
      { name: 'no number', args: ['good', '--repeat', 'x'], says: /^--repeat: expected a whole/ },
      {
        name: 'a flag mistyped',
        args: ['good', '--repaet', '2'],
        says: /Unknown option '--repaet'/,
      },
    ],
    async ({ args, says }) => {
      const { code, stderr } = await runner(args)
      assert.equal(code, 2)
      assert.match(stderr, says)
    },
  )
})
