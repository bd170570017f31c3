import type { Command } from 'commander'

import { addExamples, addServiceFlags, type Run, runs } from './shared.ts'

export function addController(program: Command, run: Run): void {
  const controller = program
    .command('controller')
    .description('Bring pods to what their PodAllocations say, in place')
    .option('--config <file>', 'configuration file, YAML or JSON')
    .option('--lease-namespace <namespace>', 'where the leader lease is', 'mbcas-system')
  addExamples(
    runs(addServiceFlags(controller, '127.0.0.1:8080'), run),
    { command: 'mbcas controller --kubeconfig ~/.kube/config', about: 'from outside the cluster' },
    { command: 'mbcas controller --listen :8080', about: 'in a pod: probes come from its node' },
  )
}
