/** The status that tells an outcome; pure. */
import type { Condition } from '../../apis/object.ts'
import type { PodAllocation, PodAllocationStatus } from '../../apis/pod-allocation.ts'
import { formatMillicores } from '../../core/quantity.ts'
import { ofName, totalOf } from '../../core/resize/containers.ts'
import type { ContainerCpu, CpuField } from '../../core/resize/types.ts'
import type { Millicores, Millis } from '../../core/units.ts'
import { type ConditionChange, setCondition, timestamp } from '../../runtime/conditions.ts'
import type { Outcome } from './outcome.ts'

/** What is told at once, of one outcome or of several that came soon after each other. */
export type News = {
  /** As it was when the last of them was decided. */
  readonly allocation: PodAllocation
  readonly outcome: Outcome
  /** Resizes asked for, and by the wall clock when the last was. */
  readonly attempts: number
  readonly attemptedAt: Millis | undefined
}

/** The status after it; `at` is by the wall clock. */
export function nextStatus(
  before: PodAllocationStatus,
  { allocation, outcome, attempts, attemptedAt }: News,
  at: Millis,
): PodAllocationStatus {
  const { metadata, spec } = allocation
  const { generation } = metadata
  const { phase, reason, message, pod } = outcome
  const isNew = before.observedGeneration !== generation
  const { originalCPURequest: _, originalCPULimit: __, ...kept } = before
  const applied: Amounts<'applied'> = pod ? totalsOf('applied', pod.cpu.actuated) : {}
  const isSame =
    before.appliedCPURequest === applied.appliedCPURequest &&
    before.appliedCPULimit === applied.appliedCPULimit
  const isJustApplied = phase === 'Applied' && (before.phase !== 'Applied' || isNew || !isSame)
  return {
    ...kept,
    phase,
    reason,
    message,
    attempts: (isNew ? 0 : (before.attempts ?? 0)) + attempts,
    ...(pod !== undefined && {
      ...applied,
      ...(pod.original !== undefined && totalsOf('original', pod.original)),
      containers: containersOf(pod.cpu.actuated, pod.original ?? []),
    }),
    conditions: conditionsAfter(before.conditions ?? [], { outcome, generation, at }),
    ...(generation !== undefined && { observedGeneration: generation }),
    ...(spec.decision?.price !== undefined && { shadowPriceCPU: spec.decision.price }),
    ...(attemptedAt !== undefined && { lastAttemptTime: timestamp(attemptedAt) }),
    ...(isJustApplied && { lastAppliedTime: timestamp(at) }),
  }
}

type Said = {
  readonly outcome: Outcome
  readonly generation: number | undefined
  readonly at: Millis
}

function conditionsAfter(
  before: readonly Condition[],
  { outcome: { phase, reason, message }, generation, at }: Said,
): readonly Condition[] {
  const common = { at, ...(generation !== undefined && { observedGeneration: generation }) }
  const applied: ConditionChange = {
    ...common,
    type: 'Applied',
    status: phase === 'Applied' ? 'True' : 'False',
    reason,
    message,
  }
  const resizable: ConditionChange =
    phase === 'Failed'
      ? { ...common, type: 'Resizable', status: 'False', reason, message }
      : { ...common, type: 'Resizable', status: 'True', reason: 'NothingForbids', message: '' }
  return [applied, resizable].reduce(setCondition, before)
}

type Name = 'applied' | 'original'
type Amounts<N extends Name> = Partial<Record<`${N}CPURequest` | `${N}CPULimit`, string>>

/** The sums over the containers that have such an amount. */
function totalsOf<N extends Name>(name: N, containers: readonly ContainerCpu[]): Amounts<N> {
  const total = (field: CpuField): Millicores | undefined =>
    containers.some((one) => one[field] !== undefined) ? totalOf(containers, field) : undefined
  return amountsOf(name, { request: total('request'), limit: total('limit') })
}

const amountsOf = <N extends Name>(
  name: N,
  { request, limit }: Pick<ContainerCpu, CpuField>,
): Amounts<N> =>
  ({
    ...(request !== undefined && { [`${name}CPURequest`]: formatMillicores(request) }),
    ...(limit !== undefined && { [`${name}CPULimit`]: formatMillicores(limit) }),
  }) as Amounts<N>

/** Also of one that does not run: what it had first is told nowhere else but on the pod. */
function containersOf(actuated: readonly ContainerCpu[], original: readonly ContainerCpu[]) {
  const names = new Set([...actuated, ...original].map(({ name }) => name))
  const none = { request: undefined, limit: undefined }
  return Array.from(names, (name) => ({
    name,
    ...amountsOf('applied', ofName(actuated, name) ?? none),
    ...amountsOf('original', ofName(original, name) ?? none),
  }))
}
