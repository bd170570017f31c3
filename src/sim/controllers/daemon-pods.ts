/** Where a DaemonSet's pods belong, and how they are made for a node. */
import type { ApiObject, JsonObject } from '../apiserver/object.ts'
import { matchesNode } from '../nodes/node-requirements.ts'
import type { SimNode } from '../nodes/node.ts'
import type { SimPodSpec, Toleration } from '../nodes/pod.ts'
import { untolerated } from '../nodes/tolerations.ts'
import { podFrom } from './pod-from-template.ts'
import type { PodObject, WorkloadSpec } from './workload.ts'

export type DaemonSet = ApiObject<
  WorkloadSpec & {
    readonly updateStrategy?: {
      readonly type?: string
      readonly rollingUpdate?: { maxSurge?: number | string; maxUnavailable?: number | string }
    }
  }
>

/** A node with the pods of one DaemonSet on it, oldest first. */
export type DaemonNode = {
  readonly name: string
  readonly shouldRun: boolean
  readonly mayStay: boolean
  readonly pods: readonly PodObject[]
}

export const revisionLabel = 'controller-revision-hash'

/** A daemon runs also where others may not. */
const toleratedEffects: readonly (readonly [key: string, effect: string])[] = [
  ['not-ready', 'NoExecute'],
  ['unreachable', 'NoExecute'],
  ['disk-pressure', 'NoSchedule'],
  ['memory-pressure', 'NoSchedule'],
  ['pid-pressure', 'NoSchedule'],
  ['unschedulable', 'NoSchedule'],
]
const tolerationOf = ([key, effect]: readonly [string, string]): Toleration => ({
  key: `node.kubernetes.io/${key}`,
  operator: 'Exists',
  effect,
})
const daemonTolerations = toleratedEffects.map(tolerationOf)
const ofHostNetwork = tolerationOf(['network-unavailable', 'NoSchedule'])

const templateSpecOf = ({ spec }: DaemonSet): SimPodSpec =>
  (spec?.template.spec ?? { containers: [] }) as unknown as SimPodSpec

function tolerationsOf({ tolerations = [], hostNetwork }: SimPodSpec): readonly Toleration[] {
  const own = hostNetwork === true ? [...daemonTolerations, ofHostNetwork] : daemonTolerations
  return [...tolerations, ...own]
}

/** Whether a pod should be there, and whether one that is there may stay. */
export function belongsOn(
  set: DaemonSet,
  node: SimNode,
): { readonly shouldRun: boolean; readonly mayStay: boolean } {
  const spec = templateSpecOf(set)
  const { name } = node.metadata
  if ((spec.nodeName ?? name) !== name || !matchesNode(spec, node)) {
    return { shouldRun: false, mayStay: false }
  }
  const tolerations = tolerationsOf(spec)
  const { taints = [] } = node.spec ?? {}
  const expelling = taints.filter(({ effect }) => effect === 'NoExecute')
  return {
    shouldRun: untolerated(tolerations, taints) === undefined,
    mayStay: untolerated(tolerations, expelling) === undefined,
  }
}

export function daemonPod(
  set: DaemonSet,
  { node, hash }: { readonly node: string; readonly hash: string },
): JsonObject {
  const spec = templateSpecOf(set)
  const onlyThere = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }
  const required = { nodeSelectorTerms: [onlyThere] }
  const generation =
    set.metadata.annotations?.['deprecated.daemonset.template.generation'] ??
    String(set.metadata.generation ?? 1)
  return podFrom(set, {
    labels: { [revisionLabel]: hash, 'pod-template-generation': generation },
    spec: {
      affinity: {
        ...spec.affinity,
        nodeAffinity: {
          ...spec.affinity?.nodeAffinity,
          requiredDuringSchedulingIgnoredDuringExecution: required,
        },
      },
      tolerations: tolerationsOf(spec),
    } as unknown as JsonObject,
  })
}

/** Where it runs, or will. */
export function nodeOf({ spec }: PodObject): string {
  if (spec?.nodeName !== undefined) return spec.nodeName
  const required = (spec as SimPodSpec | undefined)?.affinity?.nodeAffinity
    ?.requiredDuringSchedulingIgnoredDuringExecution
  return required?.nodeSelectorTerms[0]?.matchFields?.[0]?.values?.[0] ?? ''
}
