import type { Command } from 'commander'

import {
  addExamples,
  addPortFlag,
  addSeedFlag,
  addSpeedFlag,
  type Run,
  runs,
  wholeNumber,
} from './shared.ts'

export function addCluster(program: Command, run: Run): void {
  const cluster = program
    .command('cluster')
    .description(
      'Run an embedded Kubernetes cluster with simulated nodes, to try MBCAS without one',
    )
    .option('--nodes <count>', 'how many nodes', wholeNumber({ min: 1, max: 3000 }), 3)
    .option('--cpus <count>', 'CPUs of each node', wholeNumber({ min: 1, max: 1024 }), 4)
  addPortFlag(cluster, 0).option(
    '--kubeconfig <file>',
    'where to write how to reach it; else a file that goes with it',
  )
  addSpeedFlag(cluster, 1)
  addSeedFlag(cluster)
    .option('--scenario <file>', 'nodes, and what happens when')
    .option('--duration <duration>', 'simulated time after which it ends; else never')
    .option('--events <file>', 'where to write every change, a line of JSON each')
  addExamples(
    runs(cluster, run),
    { command: 'mbcas cluster --kubeconfig /tmp/mbcas', about: 'three nodes, until Ctrl-C' },
    { command: 'mbcas cluster --nodes 100 --speed max --duration 1h', about: 'an hour in seconds' },
  )
}
