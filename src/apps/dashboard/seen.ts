/** What is kept of each object: small copies, since a large cluster has ten thousand of them. */
import { fieldManagers } from '../../apis/names.ts'
import type { NodeMarket } from '../../apis/node-market.ts'
import type { MarketView } from '../../apis/node-view.ts'
import type { Node } from '../../apis/node.ts'
import type { KubeObject } from '../../apis/object.ts'
import { millicoresIn, type PodAllocation } from '../../apis/pod-allocation.ts'
import { type Container, cpuIn, isFinished, type Pod } from '../../apis/pod.ts'
import type { Mode } from '../../core/market/clear.ts'
import { sumOfAll } from '../../core/units.ts'
import { keyOf } from '../../runtime/store.ts'

export type SeenPod = {
  readonly key: string
  /** Undefined until it is bound. */
  readonly node: string | undefined
  /** It has ended, and holds nothing any more. */
  readonly isOver: boolean
  readonly request: number
  readonly limit: number | undefined
  readonly restarts: number
}

export function seePod(pod: Pod): SeenPod {
  const { spec, status } = pod
  const lasting = [...spec.containers, ...(spec.initContainers ?? []).filter(isSidecar)]
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])]
  const limits = lasting.map(({ resources }) => cpuIn(resources?.limits))
  return {
    key: keyOf(pod),
    node: spec.nodeName,
    isOver: isFinished(pod),
    request:
      cpuIn(spec.resources?.requests) ??
      lasting.reduce((all, { resources }) => all + (cpuIn(resources?.requests) ?? 0), 0),
    limit: cpuIn(spec.resources?.limits) ?? sumOfAll(limits),
    restarts: statuses.reduce((all, { restartCount }) => all + restartCount, 0),
  }
}

const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always'

export type SeenNode = {
  readonly name: string
  readonly allocatable: number
  readonly isReady: boolean
  /** Why it is not ready. */
  readonly message: string
  /** Where others reach it. */
  readonly host: string | undefined
}

export function seeNode({ metadata, status }: Node): SeenNode {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  return {
    name: metadata.name ?? '',
    allocatable: cpuIn(status?.allocatable) ?? 0,
    isReady: ready?.status === 'True',
    message: ready?.message ?? 'its kubelet tells nothing',
    host: status?.addresses?.find(({ type }) => type === 'InternalIP')?.address,
  }
}

export type SeenMarket = Omit<MarketView, 'at' | 'price'> & {
  readonly price: number | undefined
  readonly clearedAt: number
  readonly managedPods: number
  readonly sufferingPods: number
  readonly agentPort: number | undefined
}

/** Undefined where CPU has no market, which no agent of ours writes. */
export function seeMarket({ status }: NodeMarket): SeenMarket | undefined {
  const cpu = status.resources.find(({ name }) => name === 'cpu')
  if (cpu === undefined) return undefined
  return {
    mode: cpu.mode,
    allocatable: millicoresIn(cpu.allocatable),
    reserve: millicoresIn(cpu.reserve),
    held: millicoresIn(cpu.held),
    capacity: millicoresIn(cpu.capacity),
    sold: millicoresIn(cpu.sold),
    price: cpu.price,
    clearedAt: Date.parse(cpu.clearedAt),
    managedPods: cpu.pods,
    sufferingPods: cpu.sufferingPods ?? 0,
    agentPort: status.node?.agentPort,
  }
}

export type SeenAllocation = {
  readonly key: string
  readonly uid: string
  readonly node: string | undefined
  /** Grows with every change of what is desired. */
  readonly generation: number
  /** That which phase, reason and message are about. */
  readonly observedGeneration: number
  /** By the wall clock; undefined where the API does not tell. */
  readonly decidedAt: number | undefined
  readonly request: number
  readonly limit: number | undefined
  readonly urgency: 'normal' | 'guardrail'
  readonly mode: Mode | undefined
  readonly need: number | undefined
  readonly entitled: number | undefined
  readonly gets: number | undefined
  readonly price: number | undefined
  readonly reason: string
  readonly phase: string
  readonly phaseReason: string
  readonly message: string
  readonly applied: { readonly request?: number; readonly limit?: number }
  readonly original: { readonly request?: number; readonly limit?: number } | undefined
}

export function seeAllocation(allocation: PodAllocation): SeenAllocation {
  const { metadata, spec, status = {} } = allocation
  const { decision = {} } = spec
  const original = amountsOf(status.originalCPURequest, status.originalCPULimit)
  return {
    key: keyOf(allocation),
    uid: metadata.uid ?? '',
    node: spec.nodeName,
    generation: metadata.generation ?? 0,
    observedGeneration: status.observedGeneration ?? 0,
    decidedAt: decidedAtOf(allocation),
    request: millicoresIn(spec.desiredCPURequest ?? 0),
    limit: amountOf(spec.desiredCPULimit),
    urgency: spec.urgency,
    mode: decision.mode,
    need: amountOf(decision.need),
    entitled: amountOf(decision.entitled),
    gets: amountOf(decision.gets),
    price: decision.price,
    reason: [decision.reason ?? 'nobody wrote why', ...(decision.notes ?? [])].join('; '),
    phase: status.phase ?? 'Pending',
    phaseReason: status.reason ?? '',
    message: status.message ?? '',
    applied: amountsOf(status.appliedCPURequest, status.appliedCPULimit),
    original: Object.keys(original).length > 0 ? original : undefined,
  }
}

type Quantity = string | number | undefined

const amountOf = (quantity: Quantity): number | undefined =>
  quantity === undefined ? undefined : millicoresIn(quantity)

const amountsOf = (request: Quantity, limit: Quantity) => ({
  ...(request !== undefined && { request: millicoresIn(request) }),
  ...(limit !== undefined && { limit: millicoresIn(limit) }),
})

/** When its spec was last written: by anybody but the controller, who writes the status. */
function decidedAtOf({ metadata }: KubeObject): number | undefined {
  const times = (metadata.managedFields ?? [])
    .filter(({ manager, subresource }) => {
      return manager !== fieldManagers.controller && subresource === undefined
    })
    .map(({ time = '' }) => Date.parse(time))
    .filter((time) => !Number.isNaN(time))
  return times.length === 0 ? undefined : Math.max(...times)
}
