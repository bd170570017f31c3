// Runs tests and ends with the slowest, what was skipped, what failed, and one line:
// N passed, N failed, N skipped.
//   check: format, lint, types, generated files, and beside them unit and architecture tests
//   test:  check, then test/e2e and test/chaos, each file in a process of its own, two at a time
//   all:   test, test/slow as well, and then test/real, one file at a time
//   WORD ...: the test files, of the group that may stand before, whose path contains a word
//   --repeat N  does it N times and says what failed how often; --busy N  beside N threads that burn CPU
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'

import { checkStatically, createTotal, runTests } from './run-tests.mjs'
import { commands, findTests, groupOf } from './test-groups.mjs'

process.chdir(join(dirname(fileURLToPath(import.meta.url)), '..'))

const shownTimes = 15

/**
 * A wrong word must not look like tests that passed.
 * @returns {never}
 */
function refuse(/** @type {string} */ why) {
  console.error(why)
  process.exit(2)
}

function readArguments() {
  const whole = (/** @type {string} */ flag, /** @type {string} */ text) => {
    const [number, least] = [Number(text), flag === 'repeat' ? 1 : 0]
    if (Number.isInteger(number) && number >= least) return number
    return refuse(`--${flag}: expected a whole number from ${least}, got ${text}`)
  }
  try {
    const options = /** @type {const} */ ({
      repeat: { type: 'string', default: '1' },
      busy: { type: 'string', default: '0' },
    })
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    const { repeat, busy } = values
    return { words: positionals, repeat: whole('repeat', repeat), busy: whole('busy', busy) }
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

const { words, repeat, busy } = readArguments()
const all = findTests()
const command = Object.hasOwn(commands, words[0] ?? '') ? commands[words.shift() ?? ''] : undefined
const inCommand = all.filter((file) => {
  const group = groupOf(file)
  return !command || (group !== undefined && command.includes(group))
})
const isWhole = command && words.length === 0
const chosen = isWhole
  ? inCommand
  : inCommand.filter((file) => words.some((word) => file.includes(word)))
if (chosen.length === 0) {
  const expected = `expected ${Object.keys(commands).join(', ')} or words of a test file's path`
  refuse(words.length === 0 ? expected : `no test file's path contains ${words.join(' or ')}`)
}
const inGroup = (/** @type {string} */ name) => chosen.filter((file) => groupOf(file) === name)

async function runOnce() {
  const total = createTotal()
  const how = { quiet: repeat > 1 }
  const together = inGroup('check')
  if (isWhole) {
    const shares = [0, 1].map((part) => together.filter((_, i) => i % 2 === part))
    const runs = shares.map(async (files) => runTests(total, files, how))
    await Promise.all([checkStatically(total), ...runs])
  } else await runTests(total, together, how)
  const apart = [...inGroup('slow'), ...inGroup('e2e')].values() // the long ones first: no long tail
  const takeOn = async () => {
    for (const file of apart) await runTests(total, [file], how)
  }
  await Promise.all([takeOn(), takeOn()])
  for (const file of inGroup('real')) await runTests(total, [file], how)
  return total
}

const list = (/** @type {readonly string[]} */ lines) =>
  lines.map((line) => `  - ${line}`).join('\n')

/** One line a test and its reason, those of one reason together. */
function tellSkipped(/** @type {readonly string[]} */ skipped) {
  if (skipped.length > 0) console.log(`\nskipped:\n${list(skipped)}`)
  if (skipped.some((line) => line.includes('npm run real:setup')))
    console.log('npm run real:setup gets the real counterparts that these need')
}

function tellSlowest(/** @type {readonly import('./run-tests.mjs').Timed[]} */ times) {
  const slowest = times.toSorted((a, b) => b.seconds - a.seconds).slice(0, shownTimes)
  const lines = slowest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`)
  console.log(`\nslowest:\n${lines.join('\n')}`)
}

const start = performance.now()
for (let i = 0; i < busy; i++) new Worker('for (;;);', { eval: true }).unref()
const sum = createTotal()
/** @type {Map<string, number>} how often what failed, by the line that names it */
const failures = new Map()
for (let run = 1; run <= repeat; run++) {
  const began = performance.now()
  const total = await runOnce()
  sum.passed += total.passed
  sum.failed.push(...total.failed)
  sum.skipped = total.skipped
  sum.times = total.times
  for (const text of total.failed) {
    const [line = ''] = text.split('\n')
    failures.set(line, (failures.get(line) ?? 0) + 1)
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  if (repeat > 1)
    console.log(`run ${run} of ${repeat}: ${total.failed.length} failed, in ${seconds} s`)
}

tellSlowest(sum.times)
const left = all.length - chosen.length
if (isWhole && left > 0) {
  const more = command === commands.check ? 'npm test and npm run test:all' : 'npm run test:all'
  console.log(`\nnot run: ${left} test files that take longer or have real counterparts; ${more}`)
}
tellSkipped(sum.skipped)
if (sum.failed.length > 0) console.log(`\nfailed:\n${sum.failed.join('\n')}`)
if (repeat > 1)
  for (const [line, count] of failures) console.log(`${count} of ${repeat} runs: ${line}`)
const refused = process.env.CI === 'true' && sum.skipped.length > 0
if (refused) console.log('\nunder CI=true a skipped test is a failure')
console.log(`\nin ${((performance.now() - start) / 1000).toFixed(1)} s`)
console.log(`${sum.passed} passed, ${sum.failed.length} failed, ${sum.skipped.length} skipped`)
process.exit(sum.failed.length > 0 || refused ? 1 : 0)
