/**
 * What `pods/resize` refuses: every rule of `ValidatePodResize` in Kubernetes 1.36, in its words. The
 * oracle in test/oracles/resize holds its answers. The node's capacity, limit ranges and quotas are
 * admission's.
 */
import { qosClassOf } from '../../../../apis/pod-qos.ts'
import type { ResourceList, ResourceRequirements } from '../../../../apis/pod.ts'
import type { FieldError } from '../../refusal.ts'
import { forbiddenField, wrong } from '../validate/field-errors.ts'
import { isSidecar } from './resources.ts'
import { isSame } from './same.ts'
import type { Container, Pod, PodSpec } from './types.ts'
import { checkPod, isMirror } from './validate-spec.ts'

/** As Go prints a path without a name. */
const everything = '[]'
const onlyThese = 'only cpu and memory resources are mutable'

export function checkResize(next: Pod, old: Pod): FieldError[] {
  if (isMirror(old)) return [forbiddenField(everything, 'static pods cannot be resized')]
  if (old.spec.os?.name === 'windows')
    return [forbiddenField(everything, 'windows pods cannot be resized')]
  const errors = [
    ...checkPod(next, old),
    ...checkQos(next, old),
    ...checkSupport(old),
    ...checkWhole(next.spec, old.spec),
  ]
  const order = [
    ...checkOrder('containers', next.spec, old.spec),
    ...checkOrder('initContainers', next.spec, old.spec),
  ]
  if (order.length > 0) return [...errors, ...order] // the rest goes by their order
  errors.push(
    ...checkRemoved('initContainers', next.spec, old.spec),
    ...checkRemoved('containers', next.spec, old.spec),
    ...checkOthers(next.spec, old.spec),
    ...checkInitOthers(next.spec, old.spec),
  )
  if (errors.length > 0 || isSameBesides(next.spec, old.spec)) return errors
  return [forbiddenField('spec', onlyThese)]
}

function checkQos(next: Pod, old: Pod): FieldError[] {
  const before = old.status?.qosClass ?? qosClassOf(old.spec)
  return before === qosClassOf(next.spec)
    ? []
    : [
        wrong(
          'spec',
          next.status?.qosClass ?? '',
          'Pod QOS Class may not change as a result of resizing',
        ),
      ]
}

/** A kubelet that can resize says what its containers have. */
function checkSupport({ status }: Pod): FieldError[] {
  const running = status?.containerStatuses?.find(({ state }) => state?.running !== undefined)
  return running === undefined || running.resources !== undefined
    ? []
    : [forbiddenField('spec', 'Pod running on node without support for resize')]
}

const countOf = ({ requests = {}, limits = {} }: ResourceRequirements = {}): number =>
  Object.keys(requests).length + Object.keys(limits).length

/** Of the pod as a whole. */
function checkWhole({ resources: next }: PodSpec, { resources: old }: PodSpec): FieldError[] {
  if (countOf(next) + countOf(old) === 0) return []
  const field = 'spec.resources'
  if (old !== undefined && next === undefined)
    return [forbiddenField(field, 'pod-level resources cannot be removed')]
  const removed = (['requests', 'limits'] as const).filter((side) =>
    lacksSome(next?.[side], old?.[side]),
  )
  return [
    ...removed.map((side) =>
      forbiddenField(`${field}.${side}`, `pod-level resource ${side} cannot be removed`),
    ),
    ...(isSameElse(next, old) ? [] : [forbiddenField('spec', `${onlyThese} at pod-level`)]),
  ]
}

type List = 'containers' | 'initContainers'

function checkOrder(list: List, next: PodSpec, old: PodSpec): FieldError[] {
  const [after, before] = [next[list] ?? [], old[list] ?? []]
  const field = `spec.${list}`
  if (after.length !== before.length)
    return [forbiddenField(field, `${list} may not be added or removed on resize`)]
  return before.flatMap(({ name }, index) =>
    after[index]?.name === name
      ? []
      : [
          forbiddenField(
            `${field}[${index}].name`,
            `${list} may not be renamed or reordered on resize`,
          ),
        ],
  )
}

function checkRemoved(list: List, next: PodSpec, old: PodSpec): FieldError[] {
  return (old[list] ?? []).flatMap(({ resources: before }, index) => {
    const after = next[list]?.[index]?.resources
    return (['requests', 'limits'] as const)
      .filter((side) => lacksSome(after?.[side], before?.[side]))
      .map((side) =>
        forbiddenField(
          `spec.${list}[${index}].resources.${side}`,
          `resource ${side} cannot be removed`,
        ),
      )
  })
}

const lacksSome = (next: ResourceList = {}, old: ResourceList = {}): boolean =>
  Object.keys(old).some((name) => !Object.hasOwn(next, name))

const checkOthers = (next: PodSpec, old: PodSpec): FieldError[] =>
  next.containers.flatMap((container, index) =>
    isSameButSize(container, old.containers[index]) ? [] : [forbiddenField('spec', onlyThese)],
  )

const checkInitOthers = (next: PodSpec, old: PodSpec): FieldError[] =>
  (next.initContainers ?? []).flatMap((container, index) =>
    checkInitOther(container, old.initContainers?.[index], `spec.initContainers[${index}]`),
  )

function checkInitOther(next: Container, old: Container | undefined, field: string): FieldError[] {
  const others = 'only cpu and memory resources for init or sidecar containers are mutable'
  const restart =
    'non-sidecar init containers with a resize policy of RestartContainer cannot be resized'
  const isKept = isSidecar(next) || isSame(next, old)
  const restarts = (next.resizePolicy ?? []).filter(
    ({ restartPolicy }) => restartPolicy === 'RestartContainer' && !isKept,
  )
  return [
    ...(isSameButSize(next, old) ? [] : [forbiddenField(field, others)]),
    ...restarts.map(() => forbiddenField(field, restart)),
  ]
}

type WithClaims = ResourceRequirements & { readonly claims?: readonly unknown[] }

function isSameButSize(next: Container, old: Container | undefined): boolean {
  const { resources: after, ...rest } = next
  const { resources: before, ...others } = old ?? next
  const { claims = [] } = (before ?? {}) as WithClaims
  // Kubernetes forgets the claims of the new one here: what has some cannot be resized.
  return isSame(rest, others) && claims.length === 0 && isSameElse(after, before)
}

/** But for CPU and memory. */
const isSameElse = (
  next: ResourceRequirements | undefined,
  old: ResourceRequirements | undefined,
): boolean =>
  isSame(withoutSize(next?.requests), withoutSize(old?.requests), 'requests') &&
  isSame(withoutSize(next?.limits), withoutSize(old?.limits), 'limits')

function withoutSize(list: ResourceList = {}): ResourceList {
  const { cpu: _, memory: __, ...rest } = list
  return rest
}

function isSameBesides(next: PodSpec, old: PodSpec): boolean {
  const { containers: _, initContainers: __, resources, ...rest } = next
  const { containers: ___, initContainers: ____, resources: before, ...others } = old
  const isSameWhole =
    countOf(resources) + countOf(before) > 0 || (resources === undefined) === (before === undefined)
  return isSameWhole && isSame(rest, others)
}
