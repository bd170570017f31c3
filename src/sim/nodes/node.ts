/** The parts of a Node that the simulation reads or writes. */
import type { ResourceList } from '../../apis/pod.ts'
import type { ApiObject } from '../apiserver/object.ts'

export type Taint = {
  readonly key: string
  readonly value?: string
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute'
  readonly timeAdded?: string
}

export type NodeCondition = {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
  readonly lastHeartbeatTime: string
  readonly lastTransitionTime: string
}

export type SimNodeSpec = {
  readonly podCIDR?: string
  readonly podCIDRs?: readonly string[]
  readonly taints?: readonly Taint[]
  readonly unschedulable?: boolean
}
export type SimNodeStatus = {
  readonly capacity?: ResourceList
  readonly allocatable?: ResourceList
  readonly conditions?: readonly NodeCondition[]
  readonly [field: string]: unknown
}
export type SimNode = ApiObject<SimNodeSpec, SimNodeStatus>

export const leaseNamespace = 'kube-node-lease'

export const hostnameLabel = 'kubernetes.io/hostname'
export const zoneLabel = 'topology.kubernetes.io/zone'

export const notReadyTaint = 'node.kubernetes.io/not-ready'
export const unreachableTaint = 'node.kubernetes.io/unreachable'
export const unschedulableTaint = 'node.kubernetes.io/unschedulable'

export const readyOf = ({ status }: SimNode): NodeCondition | undefined =>
  status?.conditions?.find(({ type }) => type === 'Ready')
