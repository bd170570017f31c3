/** Pods get the number of their priority class, which is what the scheduler reads. */
import { priorityClasses } from '../../resources.ts'
import { type PriorityClass, systemClasses } from '../kinds/priority-class.ts'
import { forbidden } from '../refusal.ts'
import type { Admit, AdmissionRequest } from '../write/cluster.ts'
import { isNewPod, isPod, podOf, withSpec } from './pods.ts'

const preemption = 'PreemptLowerPriority'

type Priority = {
  readonly name?: string
  readonly value: number
  readonly preemptionPolicy: string
}

export const setPriority: Admit = (request) => {
  if (isNewPod(request)) return setOnCreate(request)
  const { old, subresource, operation } = request
  const pod = podOf(request)
  if (!isPod(request) || operation !== 'UPDATE' || subresource !== '') return pod
  const { priority, preemptionPolicy } = podOf({ ...request, object: old ?? pod }).spec
  const isComplete = pod.spec.priority !== undefined && pod.spec.preemptionPolicy !== undefined
  if (isComplete || (priority === undefined && preemptionPolicy === undefined)) return pod
  return withSpec(pod, {
    ...(priority !== undefined && { priority: pod.spec.priority ?? priority }),
    ...(preemptionPolicy !== undefined && {
      preemptionPolicy: pod.spec.preemptionPolicy ?? preemptionPolicy,
    }),
  })
}

function setOnCreate(request: AdmissionRequest) {
  const pod = podOf(request)
  const { type, at } = request
  const { name } = pod.metadata
  const { priority, preemptionPolicy, priorityClassName } = pod.spec
  const found = priorityClassName ? classNamed(priorityClassName, at) : defaultPriority(at)
  if (found === undefined)
    throw forbidden(type, name, {
      why: `no PriorityClass with name ${priorityClassName} was found`,
    })
  if (priority !== undefined && priority !== found.value)
    throw forbidden(type, name, {
      why: `the integer value of priority (${priority}) must not be provided in pod spec; priority admission controller computed ${found.value} from the given PriorityClass name`,
    })
  const policy = found.preemptionPolicy
  if (preemptionPolicy !== undefined && preemptionPolicy !== policy)
    throw forbidden(type, name, {
      why: `the string value of PreemptionPolicy (${preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
    })
  return withSpec(pod, {
    ...(found.name !== undefined && { priorityClassName: found.name }),
    priority: found.value,
    preemptionPolicy: policy,
  })
}

const priorityOf = ({ metadata: { name }, value, preemptionPolicy }: PriorityClass): Priority => ({
  name,
  value,
  preemptionPolicy: preemptionPolicy ?? preemption,
})

type At = AdmissionRequest['at']

/** The system's own are known even before they are stored. */
function classNamed(name: string, at: At): Priority | undefined {
  const stored = at.find(priorityClasses, { name })
  if (stored !== undefined) return priorityOf(stored as PriorityClass)
  const own = systemClasses.find((one) => one.name === name)
  return own && { name, value: own.value, preemptionPolicy: preemption }
}

const defaultClass = (at: At): PriorityClass | undefined =>
  (at.all(priorityClasses) as readonly PriorityClass[])
    .filter(({ globalDefault }) => globalDefault === true)
    .toSorted((a, b) => a.value - b.value)[0]

function defaultPriority(at: At): Priority {
  const found = defaultClass(at)
  return found ? priorityOf(found) : { value: 0, preemptionPolicy: preemption }
}

const isClass = ({ type }: AdmissionRequest): boolean =>
  type.group === priorityClasses.group && type.plural === priorityClasses.plural

/** The system's own never go. */
export function checkSystemClass(request: AdmissionRequest): void {
  if (request.operation !== 'DELETE' || !isClass(request)) return
  const { name } = request.object.metadata
  if (systemClasses.some((one) => one.name === name))
    throw forbidden(request.type, name, {
      why: 'this is a system priority class and cannot be deleted',
    })
}

export function checkDefaultClass(request: AdmissionRequest): void {
  const { type, operation, object, at } = request
  if (!isClass(request) || operation === 'DELETE') return
  const { globalDefault, metadata } = object as PriorityClass
  const other = globalDefault === true ? defaultClass(at) : undefined
  if (other === undefined || (operation === 'UPDATE' && other.metadata.name === metadata.name))
    return
  throw forbidden(type, metadata.name, {
    why: `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`,
  })
}
