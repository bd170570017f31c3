import type { Command } from 'commander'

import { addExamples, addReadFlags, addScopeFlags, type Run, runs } from './shared.ts'

export function addStatus(program: Command, run: Run): void {
  const status = program
    .command('status')
    .description('Is anyone suffering, who uses the CPUs, what changed and why')
  addScopeFlags(status, {
    namespace: 'names only pods of this namespace',
    selector: 'only nodes with these labels, such as pool=web',
  })
  addExamples(
    runs(addReadFlags(status), run),
    { command: 'mbcas status', about: 'the cluster at a glance' },
    { command: 'mbcas status -w', about: 'the same, every two seconds' },
    { command: 'mbcas status -l pool=web -o json', about: 'some nodes, for programs' },
  )
}
