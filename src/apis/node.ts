/** The parts of a Node that we read. */
import { type Keep, long, short } from './keep.ts'
import { ownNames } from './names.ts'
import type { KubeObject, Resource } from './object.ts'
import type { ResourceList } from './pod.ts'

export type Node = KubeObject & {
  readonly spec?: { readonly unschedulable?: boolean }
  readonly status?: NodeStatus
}

export type NodeStatus = {
  readonly capacity?: ResourceList
  /** What pods may ask for: the capacity without what the node keeps for itself. */
  readonly allocatable?: ResourceList
  readonly conditions?: readonly NodeCondition[]
  readonly addresses?: readonly NodeAddress[]
  readonly nodeInfo?: NodeInfo
}

export type NodeCondition = {
  /** Such as Ready, MemoryPressure. */
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string
}

export type NodeAddress = {
  /** Such as InternalIP, Hostname. */
  readonly type: string
  readonly address: string
}

export type NodeInfo = {
  readonly kubeletVersion: string
  readonly containerRuntimeVersion: string
  readonly kernelVersion: string
  readonly operatingSystem: string
  readonly architecture: string
}

export const nodes: Resource<Node> = {
  group: '',
  version: 'v1',
  plural: 'nodes',
  kind: 'Node',
  namespaced: false,
}

const amountsKeep: Keep = { cpu: short, memory: short }

export const nodeKeep: Keep = {
  metadata: { labels: ownNames, annotations: ownNames },
  spec: { unschedulable: short },
  status: {
    capacity: amountsKeep,
    allocatable: amountsKeep,
    conditions: { type: short, status: short, reason: short, message: long },
    addresses: { type: short, address: short },
  },
}
