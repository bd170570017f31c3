/**
 * `npm run fuzz`: feeds a million inputs to every parser and server endpoint. None may hang, abort, or
 * fail with anything but a refusal. Exit 1 if one does; what is printed then repeats it.
 *
 *   npm run fuzz -- --seconds 60
 *   npm run fuzz -- --target json-patch --inputs 100000 --seed 7
 *   npm run fuzz -- --target json-patch --seed 7 --from 4711 --inputs 1
 *   npm run fuzz -- --target json-patch --file /tmp/mbcas-fuzz/json-patch-7-4711
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'

import { feed } from './feed.ts'
import { type FuzzOptions, MOST_INPUTS, readOptions } from './options.ts'
import { type Report, runTarget } from './run-target.ts'
import type { FuzzTarget } from './target.ts'
import { targets } from './targets.ts'

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args)
  const { target: wanted, file, seed } = options
  const chosen = targets.filter(({ name }) => wanted === undefined || name === wanted)
  const [first] = chosen
  if (first === undefined) {
    const known = targets.map(({ name }) => name).join(', ')
    throw new Error(`expected --target to be one of ${known}, got ${wanted}`)
  }
  if (file !== undefined) return feedFile(first, file)
  console.log(`seed ${seed}; ${chosen.length} targets`)
  const reports = await runAll(chosen, options)
  for (const report of reports) print(report, seed)
  const inputs = reports.reduce((sum, report) => sum + report.inputs, 0)
  const failures = reports.reduce((sum, { findings }) => sum + findings.length, 0)
  console.log(`\n${inputs} inputs, ${failures} failures, seed ${seed}`)
  return failures === 0 ? 0 : 1
}

async function feedFile(target: FuzzTarget, file: string): Promise<number> {
  const bytes = readFileSync(file)
  const text = bytes.toString('utf8')
  const failure = await feed(target, Buffer.from(text).equals(bytes) ? text : bytes)
  console.log(failure === undefined ? 'passed' : failure.message)
  return failure === undefined ? 0 : 1
}

/** Two at a time where there are two CPUs: each target is a process that is busy all the time. */
async function runAll(chosen: readonly FuzzTarget[], options: FuzzOptions): Promise<Report[]> {
  const folder = join(tmpdir(), 'mbcas-fuzz')
  mkdirSync(folder, { recursive: true })
  const shares = chosen.reduce((sum, { share = 1 }) => sum + share, 0)
  const jobs = Math.min(availableParallelism(), chosen.length, 4)
  const reports: Report[] = []
  const line = chosen.values()
  const { seed, from, inputs, seconds } = options
  const takeOn = async () => {
    for (const target of line) {
      const part = (target.share ?? 1) / shares
      const to = Math.min(MOST_INPUTS, from + Math.max(1, Math.round(inputs * part)))
      const millis = seconds === undefined ? Infinity : (seconds * 1000 * jobs) / chosen.length
      const until = performance.now() + millis
      reports.push(await runTarget(target, { seed, from, to, until, folder }))
    }
  }
  await Promise.all(Array.from({ length: jobs }, takeOn))
  return reports.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function print({ name, inputs, seconds, slowest, findings }: Report, seed: number): void {
  const rate = Math.round(inputs / Math.max(seconds, 0.001))
  const slow = `slowest ${slowest.millis.toFixed(1)} ms (${slowest.index})`
  const failed = findings.length === 0 ? '' : `  ${findings.length} FAILURES`
  console.log(
    `  ${name.padEnd(20)} ${String(inputs).padStart(8)} inputs ${String(rate).padStart(7)}/s  ${slow}${failed}`,
  )
  for (const { index, count, message, file } of findings) {
    console.log(`    input ${index}${count > 1 ? ` and ${count - 1} more` : ''}: ${message}`)
    console.log(`      npm run fuzz -- --target ${name} --seed ${seed} --from ${index} --inputs 1`)
    console.log(`      npm run fuzz -- --target ${name} --file ${file}`)
  }
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  console.error(`fuzz: ${(error as Error).message}`)
  process.exitCode = 2
}
