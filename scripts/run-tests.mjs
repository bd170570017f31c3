// Runs test files in processes and adds up what came of them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** @typedef {{ name: string, seconds: number }} Timed */

export const createTotal = () => ({
  passed: 0,
  failed: /** @type {string[]} */ ([]),
  skipped: /** @type {string[]} */ ([]),
  times: /** @type {Timed[]} */ ([]),
})
/** @typedef {ReturnType<typeof createTotal>} Total */

/** Told at once, and again at the end, where nobody has to look for it. */
function fail(/** @type {Total} */ total, /** @type {string} */ text) {
  total.failed.push(text)
  console.log(text)
}

const secondsSince = (/** @type {number} */ start) => (performance.now() - start) / 1000

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

const steps = [
  { name: 'format', args: ['oxfmt/bin/oxfmt', '--check'] },
  {
    name: 'lint',
    args: ['oxlint/bin/oxlint', '--type-aware', '--deny-warnings', '--format=unix'],
  },
  { name: 'types', args: ['typescript/bin/tsc', '-p', 'tsconfig.json', '--noEmit'] },
  { name: 'types of the page', args: ['typescript/bin/tsc', '-p', 'web'] },
  { name: 'types of the scripts', args: ['typescript/bin/tsc', '-p', 'scripts/tsconfig.json'] },
  { name: 'generated files are current', args: ['../dist/scripts/generate.js', '--check'] },
]

export async function checkStatically(/** @type {Total} */ total) {
  for (const { name, args } of steps) {
    const start = performance.now()
    const [script = '', ...flags] = args
    const { code, output } = await node([join('node_modules', script), ...flags])
    total.times.push({ name, seconds: secondsSince(start) })
    if (code === 0) {
      total.passed += 1
      console.log(`✓ ${name}`)
    } else fail(total, `✗ ${name}\n${output}`)
  }
}

/**
 * All of them in one process.
 * @param {Total} total
 * @param {readonly string[]} files
 * @param {{ quiet: boolean }} how quiet: only what fails is printed
 */
export async function runTests(total, files, { quiet }) {
  if (files.length === 0) return
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-test-'))
  const counts = join(folder, 'counts.json')
  const start = performance.now()
  const late = setInterval(() => {
    const shown = files.length === 1 ? files[0] : `${files.length} files`
    console.log(`… ${shown}: ${secondsSince(start).toFixed(0)} s so far`)
  }, 120_000)
  const { code, output } = await node(
    [
      '--enable-source-maps',
      '--test-reporter=./scripts/reporter.mjs',
      'scripts/import-all.mjs',
      ...files.map((file) => join('dist', file.replace(/\.ts$/, '.js'))),
    ],
    {
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      env: { ...process.env, MBCAS_TEST_COUNTS: counts },
    },
  )
  clearInterval(late)
  try {
    const ran = JSON.parse(readFileSync(counts, 'utf8'))
    total.passed += ran.passed
    total.failed.push(...ran.failed)
    total.skipped.push(...ran.skipped)
    if (files.length === 1) total.times.push({ name: files[0] ?? '', seconds: secondsSince(start) })
    else total.times.push(...ran.times)
    if (ran.failed.length === 0 && code !== 0) throw new Error(`ended with ${code}\n${output}`)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    fail(total, `✗ ${files.join(' ')}: ${why}`)
  }
  rmSync(folder, { recursive: true })
}
