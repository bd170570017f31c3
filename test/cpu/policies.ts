/** Builders of policies, pods and states, so that a test states only what matters to it. */
import assert from 'node:assert/strict'

import { type CpuSet, formatCpuSet, parseCpuSet } from '../../src/core/cpu/cpu-set.ts'
import type { ContainerRequest, PodRequest } from '../../src/core/cpu/pod-request.ts'
import { isRefusal, type Refusal } from '../../src/core/cpu/refusal.ts'
import { assignCpus } from '../../src/core/cpu/static-policy/assign.ts'
import type { StaticOption } from '../../src/core/cpu/static-policy/options.ts'
import { createStaticPolicy, type StaticPolicy } from '../../src/core/cpu/static-policy/policy.ts'
import type { CpuTopology } from '../../src/core/cpu/topology.ts'
import { millicores } from '../../src/core/units.ts'

export function policyOf(
  topology: CpuTopology,
  { options = [], reserved = '' }: { options?: readonly StaticOption[]; reserved?: string } = {},
): StaticPolicy {
  return accepted(
    createStaticPolicy({
      topology,
      options: Object.fromEntries(options.map((name) => [name, true])),
      reserved: parseCpuSet(reserved),
    }),
  )
}

export function accepted<T extends object>(answer: T | Refusal): T {
  if (isRefusal(answer)) assert.fail(`refused: ${answer.error}`)
  return answer
}

export type Asked = {
  readonly count: number
  /** Else all that are not reserved. */
  readonly free?: string
  readonly affinity?: readonly number[]
  readonly reusable?: string
}

/** In list format, or the refusal. */
export function assigned(policy: StaticPolicy, asked: Asked): string {
  const { count, free, affinity = null, reusable = '' } = asked
  const all = policy.topology.cpus.filter((cpu) => !policy.reserved.includes(cpu))
  const answer = assignCpus(policy, {
    available: free === undefined ? all : parseCpuSet(free),
    reusable: parseCpuSet(reusable),
    count,
    affinity,
  })
  return isRefusal(answer) ? answer.error : formatCpuSet(answer)
}

export const container = (
  name: string,
  cpus: number,
  kind: ContainerRequest['kind'] = 'app',
): ContainerRequest => ({ name, kind, cpu: millicores(cpus * 1000), memory: {} })

export const pod = (uid: string, ...containers: readonly ContainerRequest[]): PodRequest => ({
  uid,
  isGuaranteed: true,
  hasPodResources: false,
  containers,
})

/** Ids at a level that CPUs lie in. */
export const countTouched = (
  topology: CpuTopology,
  level: 'core' | 'numa' | 'socket',
  cpus: CpuSet,
): number => {
  const { groupOf } = topology[level]
  return new Set(cpus.map((cpu) => groupOf[topology.positionOf.get(cpu) ?? -1])).size
}
