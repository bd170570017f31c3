/** A decision as the PodAllocation that is published, and whether that is worth a write. */
import { fieldManagers } from '../../apis/names.ts'
import { apiVersionOf, type KubeObject } from '../../apis/object.ts'
import {
  millicoresIn,
  type PodAllocation,
  podAllocations,
  type PodAllocationSpec,
} from '../../apis/pod-allocation.ts'
import { pods } from '../../apis/pod.ts'
import type { Decision } from '../../core/bidding/plan.ts'
import { formatMillicores } from '../../core/quantity.ts'
import type { Patch } from '../../ports/kube.ts'
import { ownerReference } from '../../runtime/owner-reference.ts'

/** Of the value before: less is noise, and every write costs an API call and a resize. */
const LEAST_CHANGE_RATIO = 0.02

export function allocationOf(decision: Decision, nodeName: string): PodAllocation {
  const { pod, mode, need, price, reason } = decision
  const { name, namespace, uid } = pod
  return {
    apiVersion: apiVersionOf(podAllocations),
    kind: podAllocations.kind,
    metadata: {
      name,
      namespace,
      ownerReferences: [ownerReference<KubeObject>(pods, { metadata: { name, uid } })],
    },
    spec: {
      podName: name,
      podUID: uid,
      nodeName,
      containers: decision.containers.map(({ name, request, limit }) => ({
        name,
        desiredCPURequest: formatMillicores(request),
        desiredCPULimit: formatMillicores(limit),
      })),
      desiredCPURequest: formatMillicores(decision.request),
      desiredCPULimit: formatMillicores(decision.limit),
      urgency: 'normal',
      decision: { mode, need: formatMillicores(need), reason, ...(price !== null && { price }) },
    },
  }
}

export const applyOf = (allocation: PodAllocation): Patch => ({
  type: 'apply',
  body: allocation,
  fieldManager: fieldManagers.agent,
  force: true, // a person who wants to own it says so by mbcas.io/override
})

/** Another pod, other containers, or an amount that changed by more than 2 %. */
export function isWorthWriting(before: PodAllocationSpec, { pod, containers }: Decision): boolean {
  const old = before.containers ?? []
  if (before.podUID !== pod.uid || old.length !== containers.length) return true
  return containers.some(({ name, request, limit }) => {
    const same = old.find((container) => container.name === name)
    return (
      same === undefined ||
      isOther(same.desiredCPURequest, request) ||
      isOther(same.desiredCPULimit, limit)
    )
  })
}

function isOther(before: string | number | undefined, now: number): boolean {
  if (before === undefined) return true
  const old = millicoresIn(before)
  return Math.abs(now - old) > LEAST_CHANGE_RATIO * old
}
