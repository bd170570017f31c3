/**
 * A clone in an empty folder with nothing installed works with no other step. One clone serves all,
 * so the order of the tests matters: each leaves it set up.
 */
import assert from 'node:assert/strict'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, before, describe, test } from 'node:test'

import type { MarketResult } from '../../src/apis/market-file.ts'
import { each } from '../each.ts'
import { type Ran, root, run, type RunOptions, withPath } from '../run.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mbcas-setup-')))
const clone = join(folder, 'a clone with spaces')
after(() => rmSync(folder, { recursive: true, force: true }))

const at = (...parts: string[]): string => join(clone, ...parts)
const lock = at('.mbcas-setup.lock')
const marketArgs = ['market', 'clear', '-f', at('examples', 'markets', 'short-node.yaml')]

/** What is committed and what is not yet: all that `git add --all` would take. */
async function copyWorkingTree(): Promise<void> {
  const { stdout } = await run('git', ['ls-files', '-coz', '--exclude-standard'], { cwd: root })
  for (const file of stdout.split('\0').filter((file) => file && existsSync(join(root, file)))) {
    cpSync(join(root, file), at(file))
  }
}

/** An installation and a build, on a machine that does much else: minutes. */
const timeout = 900_000

const mbcas = async (args: readonly string[], options?: RunOptions): Promise<Ran> =>
  run(at('bin', 'mbcas'), args, { cwd: folder, timeout, ...options })

const remove = (...names: string[]): void =>
  names.forEach((name) => rmSync(at(name), { recursive: true, force: true }))

function touch(): void {
  const now = new Date()
  utimesSync(at('src', 'main.ts'), now, now)
}

/** The steps that were taken, from what was said of them. */
function stepsIn(stderr: string): string[] {
  const said = stderr.split('\n').filter((line) => line.startsWith('mbcas set-up: '))
  return ['installing the locked dependencies', 'building'].filter(
    (title) =>
      said.includes(`mbcas set-up: ${title} ...`) &&
      said.some((line) => line.startsWith(`mbcas set-up: ${title}: done in `)),
  )
}
const install = 'installing the locked dependencies'
const build = 'building'

function assertCleared({ code, stdout, stderr }: Ran): void {
  assert.equal(code, 0, stderr)
  assert.equal((JSON.parse(stdout) as MarketResult).allocations.length, 4) // JSON and nothing else
}

before(copyWorkingTree)

void describe('a fresh clone', () => {
  void test('npm start installs, builds and runs the demo', async () => {
    const flags = ['--', '--port', '0', '--duration', '20s']
    const ran = await run('npm', ['start', ...flags], { cwd: clone, timeout })
    const { code, stdout, stderr } = ran
    assert.equal(code, 0, stderr)
    assert.deepEqual(stepsIn(stderr), [install, build])
    assert.match(stdout, /^evaluation, 10 times as fast as real time; Ctrl-C ends it\.$/m)
    assert.match(stdout, /^Watch it: +http:\/\/127\.0\.0\.1:\d+$/m)
  })

  void test('the second run does no set-up and is silent about it', async () => {
    const ran = await mbcas([...marketArgs, '-o', 'json'])
    assertCleared(ran)
    assert.equal(ran.stderr, '')
  })

  void test('a source file that was saved is built, with nothing of that on stdout', async () => {
    touch()
    const ran = await mbcas([...marketArgs, '-o', 'json'])
    assertCleared(ran)
    assert.deepEqual(stepsIn(ran.stderr), [build])
    assert.equal((await mbcas(['--version'])).stderr, '')
  })

  // A handful of each kind: the tests themselves are not what is tested here.
  void test('npm test builds nothing again, passes and ends with the counts', async () => {
    const words = ['core/market/clear', 'test/groups', 'e2e/market.test']
    const args = ['test', '--', ...words]
    const { code, stdout, stderr } = await run('npm', args, { cwd: clone, timeout })
    const lines = stdout.trimEnd().split('\n')
    const failure = lines.findIndex((line) => line.startsWith('✗'))
    const told = failure === -1 ? lines.slice(-40) : lines.slice(failure, failure + 80)
    const end = `${told.join('\n')}\n${stderr}`
    assert.match(lines.at(-1) ?? '', /^[1-9]\d+ passed, 0 failed, \d+ skipped$/, end)
    assert.match(stdout, /^slowest:\n +\d+\.\d s {2}test\/e2e\/market\.test\.ts$/m, end)
    assert.equal(code, 0, end)
    assert.deepEqual(stepsIn(stderr), [])
  })

  void test('a word that no test has is refused', async () => {
    const ran = await run('npm', ['test', '--', 'e2e/no-such'], { cwd: clone })
    assert.equal(ran.code, 2)
    assert.match(ran.stderr, /^no test file's path contains e2e\/no-such$/m)
  })
})

void describe('ways to start bin/mbcas', () => {
  const links = join(folder, 'links')
  const toMbcas = join(links, 'mbcas')
  before(() => {
    mkdirSync(links)
    symlinkSync(at('bin', 'mbcas'), toMbcas)
    symlinkSync(relative(links, at('bin', 'mbcas')), join(links, 'relative'))
    symlinkSync('mbcas', join(links, 'twice'))
  })
  const besideRoot = { cwd: clone, env: { CDPATH: root } }
  each<{ name: string; command: string; options?: RunOptions }>(
    [
      { name: 'through a link', command: toMbcas },
      { name: 'through a relative link', command: join(links, 'relative') },
      { name: 'through a link to a link', command: join(links, 'twice') },
      { name: 'from the PATH', command: 'mbcas', options: { env: withPath(links) } },
      { name: 'by a relative path', command: 'bin/mbcas', options: { cwd: clone } },
      {
        name: 'by a relative path that CDPATH has, too',
        command: 'bin/mbcas',
        options: besideRoot,
      },
    ],
    async ({ command, options }) => {
      const ran = await run(command, [...marketArgs, '-o', 'json'], { cwd: folder, ...options })
      assertCleared(ran)
      assert.equal(ran.stderr, '')
    },
  )
})

void describe('set-up that cannot be done', () => {
  const claim = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.18.3'}})`

  void test('an older Node is told what is needed', async () => {
    const args = ['--import', `data:text/javascript,${claim}`, at('scripts', 'setup.mjs')]
    const stderr = 'mbcas set-up: Node >= 20.19 is needed, this is 20.18.3\n'
    assert.deepEqual(await run(process.execPath, args), { code: 1, stdout: '', stderr })
  })

  void test('bin/mbcas then ends with a code that is no answer', async () => {
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${claim}` }
    const { code, stdout, stderr } = await mbcas(['--version'], { env })
    assert.deepEqual({ code, stdout }, { code: 69, stdout: '' })
    assert.match(stderr, /Node >= 20\.19 is needed/)
  })

  void test('without Node on the PATH, bin/mbcas says so', async () => {
    const tools = join(folder, 'tools')
    mkdirSync(tools)
    for (const tool of ['dirname', 'readlink']) {
      const { stdout } = await run('sh', ['-c', `command -v ${tool}`])
      symlinkSync(stdout.trim(), join(tools, tool))
    }
    const stderr = 'mbcas: Node.js is not on the PATH; install Node >= 20.19\n'
    const ran = await mbcas(['--version'], { env: { PATH: tools } })
    assert.deepEqual(ran, { code: 127, stdout: '', stderr })
  })

  void test('a source that does not compile is shown', async () => {
    writeFileSync(at('src', 'broken.ts'), 'export const broken: number = "text"\n')
    const { code, stdout, stderr } = await mbcas(['--version'])
    remove(join('src', 'broken.ts'))
    assert.deepEqual({ code, stdout }, { code: 69, stdout: '' })
    assert.match(stderr, /^src\/broken\.ts\(1,14\): error TS2322/m)
    assert.deepEqual(stepsIn((await mbcas(['--version'])).stderr), [build])
  })

  void test('a folder that cannot be written is an error, not a wait', async () => {
    const isRoot = process.getuid?.() === 0 // who may write anywhere, so become nobody
    chmodSync(folder, 0o755)
    chmodSync(clone, 0o555)
    touch()
    const ran = await mbcas(['--version'], isRoot ? { uid: 65_534 } : {})
    chmodSync(clone, 0o755)
    assert.deepEqual({ code: ran.code, stdout: ran.stdout }, { code: 69, stdout: '' })
    assert.match(ran.stderr, /EACCES: permission denied/)
  })
})

void describe('locks of set-ups that are gone', () => {
  void test('a lock of a dead process does not block', async () => {
    const { stdout } = await run('sh', ['-c', 'echo $$'])
    writeFileSync(lock, stdout.trim())
    touch()
    const { code, stderr } = await mbcas(['--version'])
    assert.equal(code, 0, stderr)
    assert.deepEqual(stepsIn(stderr), [build])
    assert.ok(!existsSync(lock))
  })

  each(
    [
      {
        name: 'an old lock does not block, though its number is of a process again',
        owner: process.pid,
      },
      { name: 'an old lock of nobody does not block', owner: '' },
    ],
    async ({ owner }) => {
      writeFileSync(lock, String(owner))
      const hourAgo = new Date(Date.now() - 3_600_000)
      utimesSync(lock, hourAgo, hourAgo)
      touch()
      const { code, stderr } = await mbcas(['--version'])
      assert.equal(code, 0, stderr)
      assert.deepEqual(stepsIn(stderr), [build])
    },
  )
})

void describe('a clone that lost something', () => {
  void test('node_modules is installed again, and what is built is kept', async () => {
    remove('node_modules')
    const ran = await mbcas([...marketArgs, '-o', 'json'])
    assertCleared(ran)
    assert.deepEqual(stepsIn(ran.stderr), [install])
  })

  void test('two commands started at once share one set-up, also for production', async () => {
    remove('node_modules', 'dist')
    const env = { NODE_ENV: 'production' }
    const start = async (): Promise<Ran> => mbcas([...marketArgs, '-o', 'json'], { env })
    const both = await Promise.all([start(), start()])
    both.forEach(assertCleared)
    assert.deepEqual(
      both.map(({ stderr }) => stepsIn(stderr)).toSorted((a, b) => a.length - b.length),
      [[], [install, build]],
    )
    assert.match(both.map(({ stderr }) => stderr).join(''), /waiting for another set-up \(process/)
  })
})

void describe('the packed package', () => {
  void test('needs no set-up and holds no tests', async () => {
    const packed = await run('npm', ['pack', '--silent', '--pack-destination', folder], {
      cwd: clone,
    })
    const name = packed.stdout.trim()
    assert.match(name, /^mbcas-.*\.tgz$/, packed.stderr)
    const { stdout: list } = await run('tar', ['-tzf', join(folder, name)])
    assert.deepEqual(
      list
        .split('\n')
        .filter((file) => /\.test\.js$|^package\/(dist\/)?(test|scripts)|\.ts$/.test(file)),
      [],
    )
    await run('tar', ['-xzf', join(folder, name)], { cwd: folder })
    symlinkSync(at('node_modules'), join(folder, 'package', 'node_modules'))
    const env = withPath(join(folder, 'package', 'bin'))
    const ran = await run('mbcas', [...marketArgs, '-o', 'json'], { env })
    assertCleared(ran)
    assert.equal(ran.stderr, '')
  })
})
