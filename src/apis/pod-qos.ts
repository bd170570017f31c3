/** The class of a pod by what it asks for (k8s.io/kubernetes, pkg/apis/core/helper/qos). */
import { parseQuantity } from '../core/quantity.ts'
import type { PodSpec, QosClass, ResourceList } from './pod.ts'

const counting = ['cpu', 'memory'] as const

/** What the API server writes into the status at creation; requests have their defaults by then. */
export function qosClassOf({
  containers,
  initContainers = [],
  resources,
}: Pick<PodSpec, 'containers' | 'initContainers' | 'resources'>): QosClass {
  const asked = resources
    ? [resources]
    : [...containers, ...initContainers].map((container) => container.resources ?? {})
  const requests = asked.map((one) => amountsOf(one.requests))
  const limits = asked.map((one) => amountsOf(one.limits))
  if ([...requests, ...limits].every(({ size }) => size === 0)) return 'BestEffort'
  // Containers are compared in sum: 1 and 2 guaranteed by limits of 2 and 1, as Kubernetes has it.
  const isGuaranteed =
    limits.every(({ size }) => size === counting.length) &&
    counting.every((name) => sumOf(requests, name) === sumOf(limits, name))
  return isGuaranteed ? 'Guaranteed' : 'Burstable'
}

type Nanos = ReadonlyMap<string, bigint>

/** Those that count, and that are more than nothing. */
function amountsOf(list: ResourceList = {}): Nanos {
  const amounts = new Map<string, bigint>()
  for (const name of counting) {
    const text = list[name]
    const nanos = text === undefined ? 0n : parseQuantity(text).nanos
    if (nanos > 0n) amounts.set(name, nanos)
  }
  return amounts
}

const sumOf = (lists: readonly Nanos[], name: string): bigint =>
  lists.reduce((total, list) => total + (list.get(name) ?? 0n), 0n)
