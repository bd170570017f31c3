/**
 * Lists the benches and runs those that are named, or all: `npm run bench -- market`. What follows
 * the names and begins with a dash is for them: `npm run bench -- agent --quick`.
 */
import { cpus, loadavg } from 'node:os'

import { ablation } from './ablation.ts'
import { agent } from './agent.ts'
import type { Bench } from './bench.ts'
import { cli } from './cli.ts'
import { cluster } from './cluster.ts'
import { controller } from './controller.ts'
import { cpu } from './cpu.ts'
import { dashboard } from './dashboard.ts'
import { estimator } from './estimator.ts'
import { evidence } from './evidence.ts'
import { kernel } from './kernel.ts'
import { kube } from './kube.ts'
import { market } from './market.ts'
import { model } from './model.ts'
import { programs } from './programs.ts'
import { vpa } from './vpa.ts'

const benches: readonly Bench[] = [
  market,
  kube,
  model,
  cluster,
  estimator,
  evidence,
  kernel,
  programs,
  vpa,
  ablation,
  agent,
  controller,
  dashboard,
  cli,
  cpu,
]

/** A figure without the machine and its load says little. */
function machine(): string {
  const [load = 0] = loadavg()
  const all = cpus()
  const model = all[0]?.model.trim() ?? 'unknown CPU'
  return `Node ${process.versions.node} on ${all.length} x ${model}, load ${load.toFixed(2)}`
}

async function main(args: readonly string[]): Promise<number> {
  const firstFlag = args.findIndex((arg) => arg.startsWith('-'))
  const names = firstFlag < 0 ? args : args.slice(0, firstFlag)
  const flags = args.slice(names.length)
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
    if (names.length === 0 || names.includes(name)) await run(flags)
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const [load = 0] = loadavg()
  console.log(`\nin ${seconds} s, load now ${load.toFixed(2)}`)
  if (load > cpus().length) console.log('The machine was busy: trust the best more than the mean.')
  return 0
}

process.exitCode = await main(process.argv.slice(2))
