import { qosClassOf } from '../../../../apis/pod-qos.ts'
import type { LabelSelector } from '../../../label-selector.ts'
import { timeOf } from '../../../timestamps.ts'
/** What the server sets of a pod itself, and what each way of writing it leaves as it was. */
import { memberOf } from '../../members.ts'
import type { Meta } from '../../object.ts'
import type { Situation, UpdateSituation } from '../../resource-type.ts'
import type {
  Affinity,
  Container,
  Pod,
  PodAffinity,
  PodAffinityTerm,
  PodCondition,
  PodSpec,
  PodStatus,
} from './types.ts'

export function prepareCreate(given: Pod, { now }: Situation): Pod {
  const pod = withSomeGrace(mergeLabelKeys(given))
  const isGated = (pod.spec.schedulingGates ?? []).length > 0
  const status: PodStatus = {
    phase: 'Pending',
    ...(isGated && { conditions: [gated(now)] }),
    qosClass: qosClassOf(pod.spec),
  }
  return { ...pod, status }
}

/** Less than nothing is the least that there is. */
const withSomeGrace = (pod: Pod): Pod =>
  (pod.spec.terminationGracePeriodSeconds ?? 0) < 0
    ? { ...pod, spec: { ...pod.spec, terminationGracePeriodSeconds: 1 } }
    : pod

const gated = (now: number): PodCondition => ({
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  lastTransitionTime: timeOf(now),
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
})

export function prepareUpdate(given: Pod, old: Pod, { subresource }: UpdateSituation): Pod {
  if (subresource === 'status') return keepKnown(given, old)
  const next = withStatusOf(given, old)
  return subresource === 'resize' ? takeResources(next, old) : next
}

const withStatusOf = (pod: Pod, { status }: Pod): Pod =>
  status === undefined || pod.status === status ? pod : { ...pod, status }

/** Only the amounts (and the policy, which then is refused) are looked at; all else is as it was. */
function takeResources(next: Pod, old: Pod): Pod {
  const { containers, initContainers = [], resources } = next.spec
  const before = old.spec.initContainers ?? []
  // These are refused: the reason must still be seen.
  if (containers.length !== old.spec.containers.length || initContainers.length !== before.length)
    return next
  const { resources: _, ...rest } = old.spec
  const spec: PodSpec = {
    ...rest,
    containers: resizeAll(containers, old.spec.containers),
    ...(before.length > 0 && { initContainers: resizeAll(initContainers, before) }),
    ...(resources && { resources }),
  }
  return { ...next, metadata: keepMetadata(next.metadata, old.metadata), spec }
}

function resizeAll(next: readonly Container[], old: readonly Container[]): readonly Container[] {
  if (next.some(({ name }, index) => name !== old[index]?.name)) return next
  return old.map((container, index) => {
    const { resources, resizePolicy } = next[index] ?? container
    const { resizePolicy: _, resources: __, ...rest } = container
    return { ...rest, ...(resources && { resources }), ...(resizePolicy && { resizePolicy }) }
  })
}

function keepMetadata({ resourceVersion, managedFields }: Meta, old: Meta): Meta {
  return {
    ...old,
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(managedFields && { managedFields }),
  }
}

/** A status that leaves these out does not mean that they are gone. */
function keepKnown(next: Pod, old: Pod): Pod {
  const { qosClass, observedGeneration, conditions = [] } = old.status ?? {}
  const left = new Map<string, PodCondition[]>()
  for (const one of conditions) left.set(one.type, [...(left.get(one.type) ?? []), one])
  const kept = next.status?.conditions?.map((one) => {
    const seen = left.get(one.type)?.shift()?.observedGeneration
    return one.observedGeneration || !seen ? one : { ...one, observedGeneration: seen }
  })
  const status: PodStatus = {
    ...(qosClass && { qosClass }),
    ...(observedGeneration && { observedGeneration }),
    ...next.status,
    ...(kept && { conditions: kept }),
  }
  return { ...next, spec: old.spec, status }
}

/** Label keys are merged into the selectors once, when the pod's own labels are known. */
function mergeLabelKeys(pod: Pod): Pod {
  const { labels = {} } = pod.metadata
  const { affinity, topologySpreadConstraints } = pod.spec
  const add = (
    selector: LabelSelector,
    keys: readonly string[] | undefined,
    operator: string,
  ): LabelSelector => {
    const more = (keys ?? []).flatMap((key) => {
      const value = memberOf(labels, key)
      return value === undefined ? [] : [{ key, operator, values: [value] }]
    })
    if (more.length === 0) return selector
    return { ...selector, matchExpressions: [...(selector.matchExpressions ?? []), ...more] }
  }
  const merge = <T extends PodAffinityTerm>(term: T): T => {
    if (term.labelSelector === undefined) return term
    const labelSelector = add(
      add(term.labelSelector, term.matchLabelKeys, 'In'),
      term.mismatchLabelKeys,
      'NotIn',
    )
    return labelSelector === term.labelSelector ? term : { ...term, labelSelector }
  }
  if (affinity === undefined && topologySpreadConstraints === undefined) return pod
  const spec: PodSpec = {
    ...pod.spec,
    ...(affinity && { affinity: mapTerms(affinity, merge) }),
    ...(topologySpreadConstraints && {
      topologySpreadConstraints: topologySpreadConstraints.map(merge),
    }),
  }
  return { ...pod, spec }
}

type ChangeTerm = (term: PodAffinityTerm) => PodAffinityTerm

const mapTerms = (
  { nodeAffinity, podAffinity, podAntiAffinity }: Affinity,
  change: ChangeTerm,
): Affinity => ({
  ...(nodeAffinity && { nodeAffinity }),
  ...(podAffinity && { podAffinity: mapAffinity(podAffinity, change) }),
  ...(podAntiAffinity && { podAntiAffinity: mapAffinity(podAntiAffinity, change) }),
})

function mapAffinity(affinity: PodAffinity, change: ChangeTerm): PodAffinity {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: must,
    preferredDuringSchedulingIgnoredDuringExecution: may,
  } = affinity
  return {
    ...(must && { requiredDuringSchedulingIgnoredDuringExecution: must.map(change) }),
    ...(may && {
      preferredDuringSchedulingIgnoredDuringExecution: may.map(
        ({ weight = 0, podAffinityTerm = {} }) => ({
          weight,
          podAffinityTerm: change(podAffinityTerm),
        }),
      ),
    }),
  }
}
