/**
 * How good a node is for a pod, from 0: room left (0 to 100), CPU and memory used alike (0 to 100), few
 * pods of the same owner (0 to 200), taints that prefer it elsewhere (-100 each).
 *
 *   empty node                                    100 + 100 + 200
 *   half full, evenly                              50 + 100 + 200
 *   empty, but for one pod of the same owner      ~100 + 100 + 100
 */
import type { Toleration } from '../nodes/pod.ts'
import { tolerates } from '../nodes/tolerations.ts'
import type { NodeState } from './node-state.ts'

type Scored = {
  readonly cpu: number
  readonly memory: number
  readonly owner: string | undefined
  readonly tolerations: readonly Toleration[]
}

export function scoreOf(state: NodeState, asked: Scored): number {
  const { owner, tolerations } = asked
  const cpu = usedRatio(state, 'cpu', asked.cpu)
  const memory = usedRatio(state, 'memory', asked.memory)
  // Pods count as well: those that ask for nothing would all go to one node.
  const count = (state.pods.size + 1) / (state.allocatable.get('pods') ?? 1)
  const room = 100 * (1 - (cpu + memory + count) / 3)
  const balance = 100 * (1 - Math.abs(cpu - memory) / 2)
  const same = owner === undefined ? 0 : (state.owners.get(owner) ?? 0)
  const unwanted = state.node?.spec?.taints?.filter(
    (taint) => taint.effect === 'PreferNoSchedule' && !tolerates(tolerations, taint),
  )
  return room + balance + 200 / (1 + same) - 100 * (unwanted?.length ?? 0)
}

function usedRatio({ allocatable, used }: NodeState, name: string, asked: number): number {
  const all = allocatable.get(name) ?? 0
  return all === 0 ? 1 : ((used.get(name) ?? 0) + asked) / all
}
