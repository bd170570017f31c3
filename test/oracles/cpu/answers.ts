/** What ours makes of the questions, in the shape in which the oracle answers. */
import { podRequestOf } from '../../../src/apis/pod-request.ts'
import { topologyOf } from '../../../src/apis/topology-file.ts'
import { answers } from '../../../src/apps/cli/cpu/questions.ts'
import { admitPod } from '../../../src/core/cpu/admission/admit.ts'
import {
  createNode,
  type NodeState,
  releasePod,
  startPod,
} from '../../../src/core/cpu/admission/node.ts'
import { formatCpuSet, parseCpuSet } from '../../../src/core/cpu/cpu-set.ts'
import { type Block, blocksOf } from '../../../src/core/cpu/memory/state.ts'
import type { PodRequest } from '../../../src/core/cpu/pod-request.ts'
import { isRefusal } from '../../../src/core/cpu/refusal.ts'
import { assignedCpus } from '../../../src/core/cpu/static-policy/state.ts'
import type { Bytes } from '../../../src/core/units.ts'
import type { PlayQuestion, Step } from './plays.ts'
import type { Question } from './questions.ts'

export function answer(question: Question): object {
  if (question.op === 'play') return play(question)
  const { op, ...asked } = question
  return answers[op](asked)
}

function play({ topology, numaNodes, ...config }: PlayQuestion): object {
  const { topologyManager, cpuManager, memoryManager, steps } = config
  const nodes = numaNodes.map((node) => ({ ...node, memory: bytesIn(node.memory) }))
  const created = createNode(
    { topology: topologyOf({ cpus: [...topology.cpus] }), nodes },
    {
      topologyManager,
      ...(cpuManager && {
        cpuManager: { ...cpuManager, reserved: parseCpuSet(cpuManager.reserved) },
      }),
      ...(memoryManager && {
        memoryManager: {
          reserved: new Map(
            Object.entries(memoryManager.reserved).map(([id, one]) => [Number(id), bytesIn(one)]),
          ),
        },
      }),
    },
  )
  if (isRefusal(created)) return { error: created.error }
  const { node } = created
  let { state } = created
  const pods = new Map<string, PodRequest>()
  const take = (step: Step): object => {
    if ('admit' in step) {
      const pod = podRequestOf(step.admit)
      pods.set(pod.uid, pod)
      const { admitted, refusal, containers, state: after } = admitPod(node, state, pod)
      state = after
      if (!admitted) {
        return {
          admitted,
          reason: refusal?.reason,
          message: refusal?.message,
          node: seenOf(state),
        }
      }
      const placed = containers.map(({ name, hint }) =>
        Object.assign({ name, hint }, held(state, pod.uid, name)),
      )
      return { admitted, containers: placed, node: seenOf(state) }
    }
    if ('start' in step) {
      const pod = pods.get(step.start)
      if (pod !== undefined) state = startPod(state, pod)
    } else state = releasePod(state, step.release)
    return { node: seenOf(state) }
  }
  return { steps: steps.map(take) }
}

const bytesIn = (amounts: Readonly<Record<string, number>>) =>
  amounts as Readonly<Record<string, Bytes>>

/** Not as it was given, but as it is in the end: later containers may have taken it over. */
function held({ cpu, memory }: NodeState, uid: string, name: string): object {
  const cpus = cpu && assignedCpus(cpu, uid, name)
  return {
    ...(cpus && { cpus: formatCpuSet(cpus) }),
    ...(memory && { memory: sorted(blocksOf(memory, uid, name) ?? []) }),
  }
}

const sorted = (blocks: readonly Block[]): readonly Block[] =>
  blocks.toSorted((a, b) => (a.resource < b.resource ? -1 : 1))

const seenOf = ({ cpu, memory }: NodeState): object => ({
  ...(cpu && { shared: formatCpuSet(cpu.shared) }),
  ...(memory && { free: Object.fromEntries(memory.nodes.map(({ numa, free }) => [numa, free])) }),
})

/** What must agree: of a refusal, its words. */
export const verdictOf = (given: object): object =>
  'error' in given ? { error: given.error } : given

/** One that is no sensible question has no answer. */
export function tryToAnswer(question: Question): object | undefined {
  try {
    return verdictOf(answer(question))
  } catch {
    return undefined
  }
}

export const isRefused = (verdict: object): boolean =>
  'error' in verdict ||
  ('admit' in verdict && verdict.admit === false) ||
  ('hints' in verdict && Array.isArray(verdict.hints) && verdict.hints.length === 0) ||
  ('steps' in verdict &&
    (verdict.steps as { admitted?: boolean }[]).some(({ admitted }) => admitted === false))
