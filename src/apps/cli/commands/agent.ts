import type { Command } from 'commander'

import { InvalidInput } from '../../../core/errors.ts'
import { addExamples, addServiceFlags, type Run, runs } from './shared.ts'

type Where = {
  readonly host: boolean
  readonly restore: boolean
  readonly state?: string
  readonly node?: string
}

export function addAgent(program: Command, work: { readonly onNode: Run; readonly onHost: Run }) {
  const agent = program
    .command('agent')
    .description('Sense the pods of one node, clear its market, and write PodAllocations')
    .option('--node <node>', 'the node that it runs on')
    .option('--host', 'manage the cgroups that --config names instead, without Kubernetes', false)
    .option(
      '--restore',
      'with --host, only undo what an agent that was killed left behind; needs no --config',
      false,
    )
    .option('--config <file>', 'configuration file, YAML or JSON')
    .option('--state <file>', 'with --host, where what it found is kept; else in /run/mbcas')
    .option('--kubelet-dir <folder>', "the kubelet's --root-dir", '/var/lib/kubelet')
    .option('--kubelet-config <file>', "the kubelet's --config; else config.yaml in --kubelet-dir")
    .option(
      '--sys <folder>',
      'where the kernel tells of CPUs and NUMA nodes',
      '/sys/devices/system',
    )
    .option('--cgroup-root <path>', "the kubelet's cgroupRoot", '/')
    .option('--cgroup-mount <folder>', 'where cgroups are mounted', '/sys/fs/cgroup')
    .option('--sampling-interval <duration>', 'from sample to sample; else of the file, or 250ms')
    .option('--interval <duration>', 'from clearing to clearing; else of the file, or 15s')
  const start = async (flags: Where): Promise<number> => {
    if (flags.host) return work.onHost(flags as never)
    if (flags.restore)
      throw new InvalidInput('--restore: expected --host with it: mbcas agent --host --restore')
    if (flags.state !== undefined)
      throw new InvalidInput('--state: expected --host with it: an agent on a node keeps no state')
    if (flags.node === undefined) throw new InvalidInput('expected --node, or --host')
    return work.onNode(flags as never)
  }
  addExamples(
    runs(addServiceFlags(agent, '127.0.0.1:8082'), start),
    { command: 'mbcas agent --node "$(hostname)"', about: 'as root, on a node of the cluster' },
    {
      command: 'mbcas agent --node "$NODE_NAME" --listen "$HOST_IP:8082"',
      about: 'in a pod of the host network: the dashboard asks it there',
    },
    { command: 'mbcas agent --host --config examples/host.yaml', about: 'without Kubernetes' },
    { command: 'mbcas agent --host --restore', about: 'undo what a killed one left behind' },
  )
}
