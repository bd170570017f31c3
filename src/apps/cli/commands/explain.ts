import type { Command } from 'commander'

import { addExamples, addNamespaceFlag, addReadFlags, type Run, runs } from './shared.ts'

type Work = {
  readonly pod: Run
  readonly node: Run
  readonly allocation: Run
  readonly reason: Run
}

export function addExplain(program: Command, work: Work): void {
  const explain = program.command('explain').description('Say why something is as it is')
  const where = 'its namespace, if it is not told as NAMESPACE/NAME; else that of the context'
  const pod = explain
    .command('pod <pod>')
    .alias('pods')
    .description('What a pod has, uses, wants, got and why')
  addExamples(
    runs(addReadFlags(addNamespaceFlag(pod, where)), work.pod),
    { command: 'mbcas explain pod shop/web-0', about: 'why it has what it has' },
    { command: 'mbcas explain pod -n shop web-0 -w', about: 'the same, as it goes on' },
  )
  const node = explain
    .command('node <node>')
    .alias('nodes')
    .description('The market of a node: what it sells, to whom, and what changed')
  addExamples(runs(addReadFlags(node), work.node), {
    command: 'mbcas explain node node-1',
    about: 'who uses it',
  })
  const allocation = explain
    .command('allocation <allocation>')
    .alias('pa')
    .description('A PodAllocation: what is desired, what became of it, and what to do')
  addExamples(runs(addReadFlags(addNamespaceFlag(allocation, where)), work.allocation), {
    command: 'mbcas explain allocation shop/web-0',
    about: 'why it waits',
  })
  const reason = explain
    .command('reason <reason>')
    .description('What a reason or an alert means, and what to do about it')
  addExamples(runs(reason, work.reason), {
    command: 'mbcas explain reason NodeHeadroom',
    about: 'its entry in docs/troubleshooting.md',
  })
}
