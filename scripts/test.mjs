// Runs a group of tests and ends with what failed, and one line: N passed, N failed, N skipped.
//   check: format, lint, types, generated files, and beside them unit and architecture tests
//   all:   check, then test/e2e and test/chaos, each file in a process of its own, two at a time
//   else:  the test files whose path contains one of the given words
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
process.chdir(root)
const words = process.argv.slice(2)
const group = words[0] ?? 'all'
const total = {
  passed: 0,
  failed: /** @type {string[]} */ ([]),
  skipped: /** @type {string[]} */ ([]),
}
/** Told at once, and again at the end, where nobody has to look for it. */
const fail = (/** @type {string} */ text) => {
  total.failed.push(text)
  console.log(text)
}

/** Listed from the sources, so that what a deleted test left in dist does not run. */
const testsBelow = (/** @type {string} */ folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => relative('.', join(entry.parentPath ?? entry.path, entry.name)))
    .toSorted()

const all = [...testsBelow('src'), ...testsBelow('web'), ...testsBelow('test')]
const ownProcess = (/** @type {string} */ file) =>
  ['e2e', 'chaos'].some((folder) => file.startsWith(join('test', folder)))
/** They measure, or have a real cluster or kernel: what ran beside them would show in what they see. */
const measures = (/** @type {string} */ file) =>
  /^(bench|browser|cgroup|host|prom|reflector-chaos)|real/.test(basename(file))

/**
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<{ code: number | null, output: string }>}
 */
async function node(args, options = {}) {
  const child = spawn(process.execPath, args, options)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => (output += text))
  }
  const [code] = await once(child, 'close')
  return { code, output }
}

async function step(/** @type {string} */ name, /** @type {string[]} */ args) {
  const { code, output } = await node(args)
  if (code !== 0) return fail(`✗ ${name}\n${output}`)
  total.passed += 1
  console.log(`✓ ${name}`)
}

async function checkStatically() {
  const tool = (/** @type {string} */ name) => join('node_modules', ...name.split('/'))
  await step('format', [tool('oxfmt/bin/oxfmt'), '--check'])
  await step('lint', [
    tool('oxlint/bin/oxlint'),
    '--type-aware',
    '--deny-warnings',
    '--format=unix',
  ])
  await step('types', [tool('typescript/bin/tsc'), '-p', 'tsconfig.json', '--noEmit'])
  await step('types of the page', [tool('typescript/bin/tsc'), '-p', 'web'])
  await step('types of the scripts', [tool('typescript/bin/tsc'), '-p', 'scripts/tsconfig.json'])
  await step('generated files are current', ['dist/scripts/generate.js', '--check'])
}

async function runTests(/** @type {string[]} */ files) {
  if (files.length === 0) return
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-test-'))
  const counts = join(folder, 'counts.json')
  const { code } = await node(
    [
      '--enable-source-maps',
      '--test-reporter=./scripts/reporter.mjs',
      'scripts/import-all.mjs',
      ...files.map((file) => join('dist', file.replace(/\.ts$/, '.js'))),
    ],
    { stdio: 'inherit', env: { ...process.env, MBCAS_TEST_COUNTS: counts } },
  )
  try {
    const ran = JSON.parse(readFileSync(counts, 'utf8'))
    total.passed += ran.passed
    total.failed.push(...ran.failed)
    total.skipped.push(...ran.skipped)
    if (ran.failed.length === 0 && code !== 0) throw new Error(`ended with ${code}`)
  } catch (error) {
    fail(`✗ ${files.join(' ')}: ${error instanceof Error ? error.message : String(error)}`)
  }
  rmSync(folder, { recursive: true })
}

/** A process a file, two at a time where none measures. */
async function runApart(/** @type {string[]} */ files) {
  const others = files.filter((file) => !measures(file)).values()
  const takeOn = async () => {
    for (const file of others) await runTests([file])
  }
  await Promise.all([takeOn(), takeOn()])
  for (const file of files.filter(measures)) await runTests([file])
}

const start = performance.now()
if (group === 'check' || group === 'all') {
  const together = all.filter((file) => !ownProcess(file))
  const shares = [0, 1].map((part) => together.filter((_, i) => i % 2 === part))
  await Promise.all([checkStatically(), ...shares.map(runTests)])
  if (group === 'all') await runApart(all.filter(ownProcess))
} else {
  const chosen = all.filter((file) => words.some((word) => file.includes(word)))
  if (chosen.length === 0) {
    console.error(`no test file's path contains ${words.join(' or ')}`)
    process.exit(2)
  }
  await runTests(chosen.filter((file) => !ownProcess(file)))
  await runApart(chosen.filter(ownProcess))
}

if (total.skipped.length > 0)
  console.log(`\nskipped:\n${total.skipped.map((s) => `  - ${s}`).join('\n')}`)
if (total.failed.length > 0) console.log(`\nfailed:\n${total.failed.join('\n')}`)
const refused = process.env.CI === 'true' && total.skipped.length > 0
if (refused) console.log('\nunder CI=true a skipped test is a failure')
console.log(`\nin ${((performance.now() - start) / 1000).toFixed(1)} s`)
console.log(
  `${total.passed} passed, ${total.failed.length} failed, ${total.skipped.length} skipped`,
)
process.exit(total.failed.length > 0 || refused ? 1 : 0)
