/**
 * A PodAllocation has the name of its pod, so that whoever writes it first has it: an agent of another
 * node could keep the pod's own agent from writing one, since the node that it names cannot change. No
 * admission policy can see where a pod is; the controller can. It puts one in place that names the pod's
 * node and desires what the pod has, which only that node's agent may write from then on.
 */
import { fieldManagers } from '../../apis/names.ts'
import { apiVersionOf } from '../../apis/object.ts'
import { isPersons, type PodAllocation, podAllocations } from '../../apis/pod-allocation.ts'
import { type Pod, pods } from '../../apis/pod.ts'
import { formatMillicores } from '../../core/quantity.ts'
import { isReason, type Kube } from '../../ports/kube.ts'
import type { Log } from '../../ports/log.ts'
import { ownerReference } from '../../runtime/owner-reference.ts'
import { seenPodKeep, seePod, type SeenPod } from './seen-pod.ts'

export type WrongNodes = {
  /** Whether it is no longer what stands there: by us or, in a race, by others. */
  readonly replace: (
    allocation: PodAllocation,
    pod: SeenPod,
    signal: AbortSignal,
  ) => Promise<boolean>
}

type WrongNodesNeeds = {
  readonly kube: Pick<Kube, 'get' | 'create' | 'remove'>
  readonly log: Log
}

/** By what the caches show: a person's own is left alone. */
export const namesOtherNode = (allocation: PodAllocation, pod: SeenPod): boolean =>
  allocation.spec.nodeName !== undefined &&
  pod.nodeName !== undefined &&
  allocation.spec.nodeName !== pod.nodeName &&
  !isPersons(allocation)

export function createWrongNodes({ kube, log }: WrongNodesNeeds): WrongNodes {
  return {
    replace: async (allocation, { namespace, metadata: { name = '' } }, signal) => {
      const place = { namespace, name }
      // The cache may show a pod that was made anew elsewhere since.
      const live = await orNone(kube.get(pods, place, { signal, keep: seenPodKeep }))
      if (live === undefined) return false
      const pod = seePod(live)
      if (!namesOtherNode(allocation, pod)) return false
      const fresh = allocationFor(live, pod)
      if (fresh === undefined) return false
      const { uid, resourceVersion } = allocation.metadata
      const seen = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) }
      try {
        await kube.remove(podAllocations, place, { signal, purpose: 'write', ...seen })
        await kube.create(podAllocations, fresh, {
          signal,
          purpose: 'write',
          fieldManager: fieldManagers.controller,
        })
      } catch (error) {
        // Somebody was quicker: what is there now is looked at anew.
        const isRace = ['Conflict', 'AlreadyExists', 'NotFound'].some((one) => isReason(error, one))
        if (!isRace) throw error
        return true
      }
      const said = {
        pod: `${namespace}/${name}`,
        node: pod.nodeName,
        named: allocation.spec.nodeName,
      }
      log('warn', 'replaced a PodAllocation that names another node than the pod has', said)
      return true
    },
  }
}

/** Undefined for a pod that has no CPU that could be desired. */
function allocationFor(live: Pod, { namespace, uid, nodeName, cpu }: SeenPod) {
  const { name = '' } = live.metadata
  const containers = cpu.spec.flatMap(({ name, request, limit }) =>
    request === undefined && limit === undefined
      ? []
      : [
          {
            name,
            ...(request !== undefined && { desiredCPURequest: formatMillicores(request) }),
            ...(limit !== undefined && { desiredCPULimit: formatMillicores(limit) }),
          },
        ],
  )
  if (containers.length === 0 || nodeName === undefined) return undefined
  const spec = { podName: name, podUID: uid, nodeName, containers, urgency: 'normal' as const }
  return {
    apiVersion: apiVersionOf(podAllocations),
    kind: podAllocations.kind,
    metadata: { name, namespace, ownerReferences: [ownerReference(pods, live)] },
    spec,
  }
}

async function orNone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined
    throw error
  }
}
