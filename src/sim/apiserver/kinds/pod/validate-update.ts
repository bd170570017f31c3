/** What may change of a pod that exists, and of its status. */
import { mirrorAnnotation } from '../../../../apis/names.ts'
import type { FieldError } from '../../refusal.ts'
import { all, changed, forbiddenField, required, wrong } from '../validate/field-errors.ts'
import { checkQualifiedName } from '../validate/names.ts'
import { largestInt32, within } from './complaints.ts'
import { isSidecar } from './resources.ts'
import { differencesOf, isSame } from './same.ts'
import type {
  Affinity,
  Container,
  ContainerStatus,
  NodeAffinity,
  NodeSelectorTerm,
  Pod,
  PodSpec,
  Toleration,
} from './types.ts'
import { checkImage } from './validate-containers.ts'
import { checkTolerations } from './validate-scheduling.ts'
import { checkMirrorNode, checkPod, isMirror } from './validate-spec.ts'

const updatable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',')

export function checkUpdate(next: Pod, old: Pod): FieldError[] {
  const errors = [...checkPod(next, old), ...checkMirror(next, old)]
  for (const list of ['containers', 'initContainers'] as const) {
    const after = next.spec[list] ?? []
    if (after.length !== (old.spec[list] ?? []).length)
      return [
        ...errors,
        forbiddenField(`spec.${list}`, 'pod updates may not add or remove containers'),
      ]
    errors.push(...checkImages(after, `spec.${list}`))
  }
  const deadline = checkDeadline(next.spec, old.spec)
  errors.push(...deadline.errors)
  if (deadline.ends) return errors
  errors.push(
    ...checkAddedTolerations(next.spec.tolerations ?? [], old.spec.tolerations ?? []),
    ...checkRemovedGates(next.spec, old.spec),
  )
  if (isSame(next.spec, old.spec)) return errors
  const { rest, errors: ofGated } = dropUpdatable(next.spec, old.spec)
  errors.push(...ofGated)
  const differences = differencesOf(rest, old.spec)
  if (differences.length === 0) return errors
  const shown = differences.flatMap((field) => [
    `- ${field}: ${JSON.stringify(old.spec[field as keyof PodSpec])}`,
    `+ ${field}: ${JSON.stringify(rest[field as keyof PodSpec])}`,
  ])
  const said = `pod updates may not change fields other than ${updatable}\n${shown.join('\n')}`
  return [...errors, forbiddenField('spec', said)]
}

function checkMirror(next: Pod, old: Pod): FieldError[] {
  const [after, before] = [next, old].map(
    ({ metadata }) => metadata.annotations?.[mirrorAnnotation],
  )
  if (after === before) return []
  const change = isMirror(old) ? 'remove or update' : 'add'
  return [
    forbiddenField(
      `metadata.annotations[${mirrorAnnotation}]`,
      `may not ${change} mirror pod annotation`,
    ),
  ]
}

const checkImages = (containers: readonly Container[], field: string): FieldError[] =>
  containers.flatMap((container, index) => [
    ...(container.image ? [] : [required(`${field}[${index}].image`)]),
    ...checkImage(container, `${field}[${index}]`),
  ])

/** It can only come nearer. */
function checkDeadline(
  { activeDeadlineSeconds: next }: PodSpec,
  { activeDeadlineSeconds: old }: PodSpec,
): { readonly errors: readonly FieldError[]; readonly ends: boolean } {
  const field = 'spec.activeDeadlineSeconds'
  if (next === undefined) {
    const said = 'must not update from a positive integer to nil value'
    return { errors: old === undefined ? [] : [wrong(field, null, said)], ends: false }
  }
  const errors = within(field, next, { from: 0, to: largestInt32 })
  if (errors.length === 0 && old !== undefined && old < next)
    errors.push(wrong(field, next, 'must be less than or equal to previous value'))
  return { errors, ends: errors.length > 0 }
}

function checkAddedTolerations(
  next: readonly Toleration[],
  old: readonly Toleration[],
): FieldError[] {
  const field = 'spec.tolerations'
  const isKept = old.every((before) =>
    next.some((after) =>
      isSame({ ...before, tolerationSeconds: 0 }, { ...after, tolerationSeconds: 0 }),
    ),
  )
  const said = 'existing toleration can not be modified except its tolerationSeconds'
  return isKept ? checkTolerations(next, field) : [forbiddenField(field, said)]
}

const checkRemovedGates = (
  { schedulingGates: next = [] }: PodSpec,
  { schedulingGates: old = [] }: PodSpec,
): FieldError[] =>
  next.flatMap(({ name }, index) =>
    old.some((gate) => gate.name === name)
      ? []
      : [
          forbiddenField(
            `spec.schedulingGates[${index}].name`,
            `only deletion is allowed, but found new scheduling gate '${name}'`,
          ),
        ],
  )

/** With what may change as it was before. */
function dropUpdatable(
  next: PodSpec,
  old: PodSpec,
): { readonly rest: PodSpec; readonly errors: FieldError[] } {
  const withImages = (list: 'containers' | 'initContainers') =>
    next[list]?.map((container, index) => {
      const { image: _, ...rest } = container
      const before = old[list]?.[index]?.image
      return before === undefined ? rest : { ...rest, image: before }
    }) ?? []
  const grace = old.terminationGracePeriodSeconds ?? 0
  const rest = {
    ...next,
    containers: withImages('containers'),
    initContainers: withImages('initContainers'),
    activeDeadlineSeconds: old.activeDeadlineSeconds,
    schedulingGates: old.schedulingGates,
    tolerations: old.tolerations,
    ...(grace < 0 &&
      next.terminationGracePeriodSeconds === 1 && { terminationGracePeriodSeconds: grace }),
  } as PodSpec
  if ((old.schedulingGates ?? []).length === 0) return { rest, errors: [] }
  return {
    rest: {
      ...rest,
      nodeSelector: old.nodeSelector ?? {},
      affinity: withNodeAffinity(next.affinity, old.affinity),
    } as PodSpec,
    errors: [
      ...checkAddedSelector(next.nodeSelector ?? {}, old.nodeSelector ?? {}),
      ...checkNarrowed(next.affinity?.nodeAffinity, old.affinity?.nodeAffinity),
    ],
  }
}

/** With the node affinity that was; what then has nothing in it is as absent as it was. */
function withNodeAffinity(
  next: Affinity | undefined,
  old: Affinity | undefined,
): Affinity | undefined {
  const { nodeAffinity: _, ...others } = next ?? {}
  if (old?.nodeAffinity !== undefined) return { ...others, nodeAffinity: old.nodeAffinity }
  return Object.keys(others).length === 0 && old === undefined ? undefined : others
}

type Selector = NonNullable<PodSpec['nodeSelector']>

const checkAddedSelector = (next: Selector, old: Selector): FieldError[] =>
  Object.entries(old).every(([key, value]) => next[key] === value)
    ? []
    : [
        wrong(
          'spec.nodeSelector',
          next,
          'only additions to spec.nodeSelector are allowed (no mutations or deletions)',
        ),
      ]

/** A pod that waits at a gate may be kept from nodes, but not let onto others. */
function checkNarrowed(
  next: NodeAffinity | undefined,
  old: NodeAffinity | undefined,
): FieldError[] {
  const field =
    'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms'
  const termsOf = (affinity: NodeAffinity | undefined): readonly NodeSelectorTerm[] =>
    affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  const [after, before] = [termsOf(next), termsOf(old)]
  if (before.length === 0) return []
  if (after.length !== before.length) {
    const said = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed'
    return [wrong(field, after, said)]
  }
  return before.flatMap((term, index) =>
    hasOnlyAdditions(after[index] ?? {}, term)
      ? []
      : [
          wrong(
            `${field}[${index}]`,
            after[index],
            'only additions are allowed (no mutations or deletions)',
          ),
        ],
  )
}

function hasOnlyAdditions(next: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const lists = ['matchExpressions', 'matchFields'] as const
  const wasEmpty = lists.every((list) => (old[list] ?? []).length === 0)
  if (wasEmpty) return lists.every((list) => (next[list] ?? []).length === 0)
  return lists.every((list) =>
    (old[list] ?? []).every((one, index) => isSame(next[list]?.[index], one)),
  )
}

const ofTheSystem = new Set(['PodScheduled', 'Ready', 'Initialized'])

export function checkStatus(next: Pod, old: Pod): FieldError[] {
  const { conditions = [], nominatedNodeName = '', qosClass } = next.status ?? {}
  const isNominated =
    nominatedNodeName !== '' && nominatedNodeName !== old.status?.nominatedNodeName
  return [
    ...checkMirror(next, old),
    ...checkMirrorNode(next),
    ...conditions.flatMap(({ type }, index) =>
      ofTheSystem.has(type)
        ? []
        : all(`status.conditions[${index}].Type`, type, checkQualifiedName(type)),
    ),
    ...(isNominated && old.spec.nodeName
      ? [
          forbiddenField(
            'status.nominatedNodeName',
            'may not be set on pods that are already bound to a node',
          ),
        ]
      : []),
    ...changed('status.qosClass', { next: qosClass, old: old.status?.qosClass }),
    ...checkEnded('containers', next, old),
    ...checkEnded('initContainers', next, old),
  ]
}

/** What has ended for good stays ended. */
function checkEnded(list: 'containers' | 'initContainers', next: Pod, old: Pod): FieldError[] {
  const field = list === 'containers' ? 'containerStatuses' : 'initContainerStatuses'
  const after = next.status?.[field] ?? []
  return (old.status?.[field] ?? []).flatMap((status, index) => {
    const one = after.find(({ name }) => name === status.name)
    const isRevived = one !== undefined && one.state?.terminated === undefined
    const container = old.spec[list]?.find(({ name }) => name === status.name)
    if (!isRevived || mayRestart({ status, container, spec: old.spec })) return []
    return [
      forbiddenField(
        `status.${field}[${index}].state`,
        'may not be transitioned to non-terminated state',
      ),
    ]
  })
}

function mayRestart(of: {
  readonly status: ContainerStatus
  readonly container: Container | undefined
  readonly spec: PodSpec
}): boolean {
  const { status, container, spec } = of
  const ended = status.state?.terminated
  if (ended === undefined) return true
  if (container === undefined) return false
  if (isSidecar(container) || (container.restartPolicyRules ?? []).length > 0) return true
  const policy = container.restartPolicy ?? spec.restartPolicy
  return policy === 'OnFailure' ? (ended.exitCode ?? 0) !== 0 : policy !== 'Never'
}
