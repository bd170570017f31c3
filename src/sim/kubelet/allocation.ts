/** What a node has set aside for a pod: the resources of a spec that it once agreed to. */
import type { ResourceList, ResourceRequirements } from '../../apis/pod.ts'
import { formatQuantity, parseQuantity } from '../../core/quantity.ts'
import { sumOfContainers } from '../apiserver/kinds/pod/resources.ts'
import type { SimContainer, SimPodSpec } from '../nodes/pod.ts'

export type Allocation = {
  readonly spec: SimPodSpec
  /** Of the pod as a whole, as its status tells it. */
  readonly whole: ResourceRequirements
}

const sides = ['requests', 'limits'] as const
const resizable = ['cpu', 'memory'] as const

export function allocationOf(spec: SimPodSpec): Allocation {
  const whole = sides.map((side): [string, ResourceList] => {
    const sum = [...sumOfContainers(spec, side)].map(([name, quantity]): [string, string] => [
      name,
      formatQuantity(quantity),
    ])
    return [side, { ...Object.fromEntries(sum), ...spec.resources?.[side] }]
  })
  return {
    spec,
    whole: Object.fromEntries(whole.filter(([, list]) => Object.keys(list).length > 0)),
  }
}

export const allContainers = ({
  initContainers = [],
  containers,
}: SimPodSpec): readonly SimContainer[] => [...initContainers, ...containers]

export const resourcesOf = (
  spec: SimPodSpec,
  container: string,
): ResourceRequirements | undefined =>
  allContainers(spec).find(({ name }) => name === container)?.resources

/** The resources among CPU and memory in which the two differ. */
export const changedResources = (
  a: ResourceRequirements | undefined,
  b: ResourceRequirements | undefined,
): readonly (typeof resizable)[number][] =>
  resizable.filter((name) => sides.some((side) => !isEqual(a?.[side]?.[name], b?.[side]?.[name])))

function isEqual(a: string | undefined, b: string | undefined): boolean {
  if (a === b) return true
  return a !== undefined && b !== undefined && parseQuantity(a).nanos === parseQuantity(b).nanos
}

/** Whether a resize has asked for something else than what is allocated. */
export function isResized(desired: SimPodSpec, allocated: SimPodSpec): boolean {
  if (desired === allocated) return false
  return (
    changedResources(desired.resources, allocated.resources).length > 0 ||
    allContainers(desired).some(
      ({ name, resources }) => changedResources(resources, resourcesOf(allocated, name)).length > 0,
    )
  )
}
