import type { Command } from 'commander'

import { addExamples, addPortFlag, addSeedFlag, addSpeedFlag, type Run, runs } from './shared.ts'

export function addDemo(program: Command, run: Run): void {
  const demo = program
    .command('demo')
    .description('Run the whole platform on an embedded cluster, with a page to watch it')
    .option('--scenario <file>', 'a file, or the name of one in examples/scenarios', 'evaluation')
  addSpeedFlag(demo, 10)
  addSeedFlag(demo)
  addPortFlag(demo, 8080)
    .option('--no-browser', 'do not open the page')
    .option('--duration <duration>', 'simulated time after which it ends; else never')
    .option('--kubeconfig <file>', 'where to write how to reach the cluster; else a temporary file')
  addExamples(
    runs(demo, run),
    { command: 'mbcas demo', about: 'the usual scenario, at http://127.0.0.1:8080' },
    { command: 'mbcas demo --scenario noisy-neighbour --speed 60', about: 'another, faster' },
  )
}
