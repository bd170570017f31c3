/** `mbcas cpu assign`, `merge` and `hints`: answers questions about a kubelet, one or a list of them. */
import {
  type AssignQuestion,
  type HintsQuestion,
  type MergeQuestion,
  readQuestion,
} from '../../../apis/cpu-question.ts'
import { topologyOf } from '../../../apis/topology-file.ts'
import { type CpuSet, formatCpuSet, parseCpuSet, without } from '../../../core/cpu/cpu-set.ts'
import type { HintList } from '../../../core/cpu/hint.ts'
import { cpuHints } from '../../../core/cpu/hints/cpu-hints.ts'
import { isRefusal, type Refusal } from '../../../core/cpu/refusal.ts'
import { assignCpus } from '../../../core/cpu/static-policy/assign.ts'
import { createStaticPolicy, type StaticPolicy } from '../../../core/cpu/static-policy/policy.ts'
import { type Merged, mergeHints } from '../../../core/cpu/topology-manager/merge.ts'
import { readTopologySettings } from '../../../core/cpu/topology-manager/settings.ts'
import { InvalidInput } from '../../../core/errors.ts'

/** A single question gets a single answer, a list a list. */
const answering =
  <Question, Answer>(
    read: (value: unknown, name: string) => Question,
    answer: (question: Question) => Answer,
  ) =>
  (document: unknown, file?: string): Answer | Answer[] => {
    const within = (name: string): string => (file === undefined ? name : `${file}: ${name}`)
    const one = (value: unknown, name: string): Answer => {
      const question = read(value, name)
      try {
        return answer(question)
      } catch (error) {
        if (!(error instanceof InvalidInput)) throw error
        throw new InvalidInput(`${name}: ${error.message}`, { cause: error })
      }
    }
    if (!Array.isArray(document)) return one(document, within('question'))
    return document.map((question: unknown, i) => one(question, within(`question ${i + 1}`)))
  }

export const answers = {
  assign: answering(readQuestion.assign, assign),
  hints: answering(readQuestion.hints, giveHints),
  merge: answering(readQuestion.merge, merge),
}

function assign(question: AssignQuestion): { cpus: string } | Refusal {
  const node = readNode(question)
  if (isRefusal(node)) return node
  const cpus = assignCpus(node.policy, { ...node.pools, affinity: question.affinity })
  return isRefusal(cpus) ? { error: cpus.error } : { cpus: formatCpuSet(cpus) }
}

function giveHints(question: HintsQuestion): { hints: HintList } | Refusal {
  const node = readNode(question)
  return isRefusal(node) ? node : { hints: cpuHints(node.policy, node.pools) }
}

type Node = {
  readonly policy: StaticPolicy
  readonly pools: { readonly available: CpuSet; readonly reusable: CpuSet; readonly count: number }
}

function readNode(question: HintsQuestion): Node | Refusal {
  const { options, request, topologyPolicy } = question
  const topology = topologyOf(question.topology)
  const reserved = parseCpuSet(question.reserved)
  const policy = createStaticPolicy({ topology, options, reserved, topologyPolicy })
  if (isRefusal(policy)) return policy
  const [available, reusable] = (['available', 'reusable'] as const).map((name) => {
    const cpus = parseCpuSet(question[name])
    const unknown = without(cpus, topology.cpus)
    if (unknown.length === 0) return cpus
    throw new InvalidInput(
      `expected ${name} to be CPUs of the topology, got also ${formatCpuSet(unknown)}`,
    )
  }) as [CpuSet, CpuSet]
  return { policy, pools: { available: without(available, reserved), reusable, count: request } }
}

function merge({ providers, ...config }: MergeQuestion): Merged | Refusal {
  const settings = readTopologySettings(config)
  return isRefusal(settings) ? settings : mergeHints(providers, settings)
}
