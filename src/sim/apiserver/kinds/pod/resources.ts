/**
 * What a pod asks of a node, as the scheduler, quotas and kubelets count it (k8s.io/component-helpers,
 * resource/helpers.go; KEP-753, KEP-2837, KEP-1287).
 *
 *   containers 1 and 2, init container 5              5   it runs alone, before them
 *   containers 1 and 2, sidecar 3                     6   it runs beside them
 *   containers 1 and 2, sidecar 3, then init 4        7   the sidecar runs beside the init container
 *   resized 1 to 2, not yet allocated                 2   the larger of what is and what is wanted
 *   resized 1 to 2, Infeasible                        1
 */
import type { ContainerStatus, PodSpec, PodStatus, ResourceList } from '../../../../apis/pod.ts'
import {
  cappedBytesOf,
  cappedMillicoresOf,
  parseQuantity,
  type Quantity,
} from '../../../../core/quantity.ts'
import type { Bytes, Millicores } from '../../../../core/units.ts'
import { isHugePages } from '../validate/resource-names.ts'

/** Exact, by resource name. */
export type Amounts = ReadonlyMap<string, Quantity>

type Asking = Pick<PodSpec, 'containers' | 'initContainers' | 'resources'> & {
  readonly overhead?: ResourceList
}
export type AskingPod = {
  readonly spec?: Asking
  readonly status?: Pick<
    PodStatus,
    | 'conditions'
    | 'containerStatuses'
    | 'initContainerStatuses'
    | 'resources'
    | 'allocatedResources'
  >
}

type Side = 'requests' | 'limits'
type AskingContainer = Asking['containers'][number]

/** What may be set for the pod as a whole. */
export const isPodLevel = (name: string): boolean =>
  name === 'cpu' || name === 'memory' || isHugePages(name)
export const isSidecar = ({ restartPolicy }: { readonly restartPolicy?: string }): boolean =>
  restartPolicy === 'Always'

/** With what the status says of a resize under way; that is how nodes and quotas are charged. */
export const podRequests = (pod: AskingPod): Amounts => effective(pod, 'requests')
export const podLimits = (pod: AskingPod): Amounts => effective(pod, 'limits')

/** Without overhead and what is set for the pod as a whole. */
export const sumOfContainers = (spec: Asking, side: Side): Amounts =>
  sum(spec, (container) => amountsOf(container.resources?.[side]))

export const cpuOf = (amounts: Amounts): Millicores =>
  cappedMillicoresOf(amounts.get('cpu') ?? { nanos: 0n, format: 'DecimalSI' })
/** Of anything but CPU: bytes, or a count. */
export const countOf = (amounts: Amounts, name: string): Bytes =>
  cappedBytesOf(amounts.get(name) ?? { nanos: 0n, format: 'DecimalSI' })

export const amountsOf = (list: ResourceList | undefined): Map<string, Quantity> =>
  new Map(Object.entries(list ?? {}).map(([name, text]) => [name, parseQuantity(text)]))

function effective({ spec, status = {} }: AskingPod, side: Side): Amounts {
  if (spec === undefined) return new Map()
  const statuses = new Map<string, ContainerStatus>()
  for (const one of status.containerStatuses ?? []) statuses.set(one.name, one)
  for (const one of status.initContainerStatuses ?? []) statuses.set(one.name, one)
  const isRunning = (container: AskingContainer): boolean =>
    isSidecar(container) || spec.containers.includes(container)
  const isInfeasible =
    status.conditions?.find(({ type }) => type === 'PodResizePending')?.reason === 'Infeasible'

  const larger = (wanted: ResourceList | undefined, one: Actual): Map<string, Quantity> => {
    const of = isInfeasible ? new Map<string, Quantity>() : amountsOf(wanted)
    raise(of, amountsOf(one.resources?.[side]))
    if (side === 'requests') raise(of, amountsOf(one.allocatedResources))
    return of
  }
  const total = sum(spec, (container) => {
    const wanted = container.resources?.[side]
    const one = isRunning(container) ? statuses.get(container.name) : undefined
    return one?.resources === undefined ? amountsOf(wanted) : larger(wanted, one)
  })
  const whole = spec.resources?.[side]
  // Of limits that no kubelet has told of, those wanted count, feasible or not.
  const isTold =
    status.resources !== undefined &&
    (side === 'requests' || !isInfeasible || status.resources.limits !== undefined)
  const held = isTold ? larger(whole, status) : amountsOf(whole)
  for (const name of Object.keys(whole ?? {})) {
    if (isPodLevel(name)) total.set(name, held.get(name) ?? { nanos: 0n, format: 'DecimalSI' })
  }
  for (const [name, quantity] of amountsOf(spec.overhead)) {
    // A pod without a limit has none with overhead either.
    if (side === 'requests' || (total.get(name)?.nanos ?? 0n) !== 0n) {
      add(total, new Map([[name, quantity]]))
    }
  }
  return total
}

type Actual = Pick<ContainerStatus, 'resources' | 'allocatedResources'>

/** The most that is needed at any time: while init containers run, or after. */
function sum(
  { containers, initContainers = [] }: Asking,
  amounts: (container: AskingContainer) => Amounts,
): Map<string, Quantity> {
  const total = new Map<string, Quantity>()
  for (const container of containers) add(total, amounts(container))
  const sidecars = new Map<string, Quantity>()
  const starting = new Map<string, Quantity>()
  for (const container of initContainers) {
    const own = amounts(container)
    if (isSidecar(container)) {
      add(total, own)
      add(sidecars, own)
      raise(starting, sidecars)
    } else {
      const beside = new Map(own)
      add(beside, sidecars)
      raise(starting, beside)
    }
  }
  raise(total, starting)
  return total
}

function add(to: Map<string, Quantity>, more: Amounts): void {
  for (const [name, quantity] of more) {
    const had = to.get(name)
    // A sum is written as its first part that is not zero.
    const format = had === undefined || had.nanos === 0n ? quantity.format : had.format
    to.set(name, { nanos: (had?.nanos ?? 0n) + quantity.nanos, format })
  }
}

function raise(to: Map<string, Quantity>, other: Amounts): void {
  for (const [name, quantity] of other) {
    const had = to.get(name)
    if (had === undefined || quantity.nanos > had.nanos) to.set(name, quantity)
  }
}
