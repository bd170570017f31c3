import { Argument, type Command } from 'commander'

import { addExamples, addReadFlags, addScopeFlags, type Run, runs } from './shared.ts'

export function addTop(program: Command, run: Run): void {
  const top = program
    .command('top')
    .description('Nodes or pods in a table: live on a terminal, else once')
    .addArgument(new Argument('[kind]', 'what to show').choices(['nodes', 'pods']).default('nodes'))
    .option('--sort <column>', 'what to sort by; else trouble, the worst first')
    .option('--node <node>', 'only the pods of this node')
  addScopeFlags(top, {
    namespace: 'only pods of this namespace',
    selector: 'only nodes, or pods, with these labels, such as app=web',
  })
  addExamples(
    runs(addReadFlags(top), run),
    { command: 'mbcas top', about: 'live; ? shows the keys' },
    { command: 'mbcas top pods -n shop --sort used', about: 'the pods of a namespace' },
    { command: 'mbcas top nodes -o json', about: 'once, for programs' },
  )
}
