import { type Command, Option } from 'commander'

import { topologyPolicies, topologyScopes } from '../../../core/cpu/topology-manager/settings.ts'
import { addConnectionFlags, addExamples, type Run, runs, wholeNumber } from './shared.ts'

const questions = {
  assign: 'Which CPUs a container would get under the static policy',
  hints: 'Which NUMA nodes the CPU Manager would propose',
  merge: 'What the Topology Manager would make of the proposals of all',
} as const

export type CpuWork = {
  readonly question: (name: keyof typeof questions) => Run
  readonly plan: Run
}

export function addCpu(program: Command, work: CpuWork): void {
  const cpu = program
    .command('cpu')
    .description('Say what a kubelet would do with CPUs, NUMA nodes and pods')
  for (const name of Object.keys(questions) as (keyof typeof questions)[]) {
    const command = cpu
      .command(name)
      .description(questions[name])
      .option('-f, --file <file>', 'a question or a list of them; - is standard input', '-')
      .addOption(
        new Option('-o, --output <format>', 'how to print the answer')
          .choices(['json', 'yaml'])
          .default('json'),
      )
    addExamples(runs(command, work.question(name)), {
      command: `mbcas cpu ${name} -f examples/cpu/${name}.json`,
      about: 'one question, or a list',
    })
  }
  addPlan(cpu, work.plan)
}

function addPlan(cpu: Command, run: Run): void {
  const plan = cpu
    .command('plan')
    .description("Whether a node's kubelet would admit pods, one after the other, and where")
    .addOption(
      new Option(
        '--topology <file>',
        'the machine: a list of CPUs, or what lscpu -J -e prints',
      ).conflicts('node'),
    )
    .option('--node <node>', 'or a node of the cluster, with what runs there; its agent tells')
    .requiredOption('-f, --file <file...>', 'pods, YAML or JSON; - is standard input')
  addKubeletFlags(plan).addOption(
    new Option('-o, --output <format>', 'how to print the plan')
      .choices(['table', 'json', 'yaml'])
      .default('table'),
  )
  addExamples(
    runs(addConnectionFlags(plan), run),
    {
      command:
        'mbcas cpu plan --topology examples/cpu/two-sockets.json --reserved-cpus 0 -f examples/cpu/pods.yaml',
      about: 'CPUs by container, and a picture of the sockets',
    },
    {
      command: 'mbcas cpu plan --node worker-1 -f pod.yaml',
      about: 'the same, beside the pods that run on a node',
    },
  )
}

/** What is not given is as the node's agent tells it, or as usual. */
const addKubeletFlags = (plan: Command): Command =>
  plan
    .addOption(
      new Option(
        '--policy <policy>',
        "the CPU Manager's; else that of the node, or static",
      ).choices(['none', 'static']),
    )
    .option('--options <options>', 'of the CPU Manager, such as full-pcpus-only')
    .option('--reserved-cpus <cpus>', 'CPUs that are never given away, such as 0,8')
    .option('--reserved-count <count>', 'or how many', wholeNumber({ min: 0, max: 65_535 }))
    .addOption(
      new Option(
        '--topology-policy <policy>',
        "the Topology Manager's; else that of the node, or none",
      ).choices(topologyPolicies),
    )
    .option('--topology-options <options>', 'such as prefer-closest-numa-nodes')
    .addOption(
      new Option(
        '--scope <scope>',
        'for what it chooses NUMA nodes; else that of the node, or container',
      ).choices(topologyScopes),
    )
    .option(
      '--reserved-memory <amounts>',
      'such as 0:memory=1Gi;1:memory=1Gi; with it the Memory Manager is Static',
    )
    .option(
      '--node-reserved <amounts>',
      'what kube-reserved, system-reserved and eviction-hard come to, such as memory=2Gi: the reserved memory has to be as much',
    )
