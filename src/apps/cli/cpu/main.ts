/** `mbcas cpu`: joins it with files, the API and formats. */
import { formatYaml, parseDocument, parseDocuments } from '../../../adapters/document.ts'
import { terminalWidth } from '../../../adapters/terminal/width.ts'
import { forDocuments, nameOf, readText } from '../../../adapters/text-file.ts'
import type { Pod } from '../../../apis/pod.ts'
import { readMachine } from '../../../apis/topology-file.ts'
import type { Machine } from '../../../core/cpu/machine.ts'
import { InvalidInput, naming } from '../../../core/errors.ts'
import type { ConnectionFlags } from '../main.ts'
import { formatJson } from '../output.ts'
import { kubeletConfig, type KubeletFlags, usualConfig } from './kubelet-config.ts'
import { planTable } from './plan-table.ts'
import { freshStart, planJson, planPods, podsIn, type Start } from './plan.ts'
import { answers } from './questions.ts'

export type CpuQuestion = keyof typeof answers

type QuestionFlags = { readonly file: string; readonly output: 'json' | 'yaml' }

export const answerQuestions =
  (question: CpuQuestion) =>
  async ({ file, output }: QuestionFlags): Promise<number> => {
    print(
      answers[question](
        parseDocument(await readText(file, forDocuments), nameOf(file)),
        nameOf(file),
      ),
      output,
    )
    return 0
  }

type CpuPlanFlags = KubeletFlags &
  ConnectionFlags & {
    readonly topology?: string
    readonly node?: string
    readonly file: readonly string[]
    readonly output: 'table' | 'json' | 'yaml'
  }

export async function runCpuPlan(flags: CpuPlanFlags): Promise<number> {
  const { file, output } = flags
  const start = await startIn(flags)
  const pods: Pod[] = []
  for (const path of file) {
    for (const document of parseDocuments(await readText(path, forDocuments), nameOf(path))) {
      pods.push(...podsIn(document, nameOf(path)))
    }
  }
  const plan = planPods(start, pods)
  if (output !== 'table') print(planJson(start.machine, plan), output)
  else process.stdout.write(planTable(start.machine, plan, terminalWidth()))
  return 0
}

async function startIn({ topology, node, ...flags }: CpuPlanFlags): Promise<Start> {
  if (node !== undefined) {
    const [{ withCluster }, { knownStart }] = await Promise.all([
      import('../main.ts'),
      import('./known-node.ts'),
    ])
    return withCluster(flags, async ({ kube }) => knownStart(kube, node, flags))
  }
  if (topology === undefined) throw new InvalidInput('expected --topology or --node, got neither')
  const name = nameOf(topology)
  const machine = readTopology(await readText(topology), name)
  return freshStart(machine, kubeletConfig(flags, usualConfig))
}

const readTopology = (text: string, name: string): Machine =>
  naming(name, () => readMachine(parseDocument(text, name), name))

const print = (value: unknown, output: 'json' | 'yaml'): boolean =>
  process.stdout.write(output === 'json' ? `${formatJson(value)}\n` : formatYaml(value))
