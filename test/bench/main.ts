/** Lists the benches and runs those that are named, or all: `npm run bench -- market`. */
import { cpus, loadavg } from 'node:os'

import type { Bench } from './bench.ts'
import { cluster } from './cluster.ts'
import { kernel } from './kernel.ts'
import { kube } from './kube.ts'
import { market } from './market.ts'

const benches: readonly Bench[] = [market, kube, kernel, cluster]

/** A figure without the machine and its load says little. */
function machine(): string {
  const [load = 0] = loadavg()
  const all = cpus()
  const model = all[0]?.model.trim() ?? 'unknown CPU'
  return `Node ${process.versions.node} on ${all.length} x ${model}, load ${load.toFixed(2)}`
}

async function main(names: readonly string[]): Promise<number> {
  const known = benches.map(({ name }) => name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    console.error(`expected benches among ${known.join(', ')}, got ${unknown.join(', ')}`)
    return 2
  }
  console.log(machine())
  console.log('\nbenches:')
  const width = Math.max(...known.map((name) => name.length))
  for (const { name, about } of benches) console.log(`  ${name.padEnd(width)}  ${about}`)
  const start = performance.now()
  for (const { name, run } of benches) {
    if (names.length === 0 || names.includes(name)) await run()
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const [load = 0] = loadavg()
  console.log(`\nin ${seconds} s, load now ${load.toFixed(2)}`)
  if (load > cpus().length) console.log('The machine was busy: trust the best more than the mean.')
  return 0
}

process.exitCode = await main(process.argv.slice(2))
