/** Keeps the status of PodDisruptionBudgets current: how many pods may be evicted now. */
import type { Agenda } from '../agenda.ts'
import type { Api } from '../apiserver/api.ts'
import { memberOf } from '../apiserver/members.ts'
import { type ApiObject, keyOf, placeOf } from '../apiserver/object.ts'
import { type LabelSelector, matchesLabels } from '../label-selector.ts'
import type { RecordEvent } from '../record-event.ts'
import { deployments, disruptionBudgets, pods, replicaSets } from '../resources.ts'
import { rewrite } from '../rewrite.ts'
import { timeOf } from '../timestamps.ts'
import { withCondition } from './conditions.ts'
import { scaleOf } from './controller-scale.ts'
import { selectorOf } from './follow.ts'
import { createLoop } from './loop.ts'
import { countOf } from './rollout.ts'
import { type Condition, isReady, manager, type PodObject, type WorkloadSpec } from './workload.ts'

type Budget = ApiObject<
  {
    readonly minAvailable?: number | string
    readonly maxUnavailable?: number | string
    readonly selector?: LabelSelector
  },
  {
    readonly conditions?: readonly Condition[]
    readonly disruptedPods?: Readonly<Record<string, string>>
    readonly observedGeneration?: number
  }
>

/** Changes of many pods are counted together. */
const gathering = 100
/** An eviction that did not delete its pod within this time no longer counts. */
const evictionTimeout = 120_000

export function runDisruptionBudgets(at: {
  readonly api: Api
  readonly agenda: Agenda
  readonly record: RecordEvent
}): void {
  const { api, agenda, record } = at

  const loop = createLoop(agenda, (key) => {
    const [namespace, name = ''] = key.split('/')
    const budget = api.find(disruptionBudgets, { namespace, name }) as Budget | undefined
    return budget && look(budget)
  })

  const look = (budget: Budget): number | undefined => {
    const { selector } = budget.spec ?? {}
    const matching = (api.list(pods, budget.metadata.namespace) as readonly PodObject[]).filter(
      (pod) => matchesLabels(selector, pod.metadata.labels),
    )
    if (matching.length === 0) {
      record({ about: budget, reason: 'NoPods', message: 'No matching pods found' })
    }
    const asked = askedFor(budget, matching)
    if ('trouble' in asked) {
      const message = `Failed to calculate the number of expected pods: ${asked.trouble}`
      const reason = 'CalculateExpectedPodCountFailed'
      record({ about: budget, type: 'Warning', reason, message })
      const next = { status: 'False', reason: 'SyncFailed', message: asked.trouble } as const
      tell(budget, { disruptionsAllowed: 0 }, next)
      return undefined
    }
    const { expectedPods, desiredHealthy } = asked
    const disrupted = stillDisrupted(budget, matching)
    const currentHealthy = matching.filter(
      (pod) =>
        pod.metadata.deletionTimestamp === undefined &&
        memberOf(disrupted, pod.metadata.name) === undefined &&
        isReady(pod),
    ).length
    const spare = Math.max(0, currentHealthy - desiredHealthy)
    const disruptionsAllowed = expectedPods === 0 ? 0 : spare
    const next =
      disruptionsAllowed > 0
        ? ({ status: 'True', reason: 'SufficientPods', message: '' } as const)
        : ({ status: 'False', reason: 'InsufficientPods', message: '' } as const)
    const times = Object.values(disrupted).map((time) => Date.parse(time))
    const counts = { disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods }
    tell(budget, { ...counts, ...(times.length > 0 && { disruptedPods: disrupted }) }, next)
    return times.length > 0 ? Math.min(...times) + evictionTimeout - agenda.wall() : undefined
  }

  /** How many pods there should be, and how many of them healthy. */
  const askedFor = ({ spec }: Budget, matching: readonly PodObject[]) => {
    const { minAvailable = 1, maxUnavailable } = spec ?? {}
    if (maxUnavailable === undefined && typeof minAvailable === 'number') {
      return { expectedPods: matching.length, desiredHealthy: minAvailable }
    }
    const scale = scaleOf(api, matching)
    if (typeof scale === 'string') return { trouble: scale }
    const desired =
      maxUnavailable === undefined
        ? countOf(minAvailable, scale, Math.ceil)
        : scale - countOf(maxUnavailable, scale, Math.ceil)
    return { expectedPods: scale, desiredHealthy: Math.max(0, desired) }
  }

  const stillDisrupted = ({ status }: Budget, matching: readonly PodObject[]) => {
    const { disruptedPods = {} } = status ?? {}
    const oldest = agenda.wall() - evictionTimeout
    const waiting = matching.flatMap(({ metadata }) => {
      const since = memberOf(disruptedPods, metadata.name)
      const counts = since !== undefined && Date.parse(since) > oldest
      return counts && metadata.deletionTimestamp === undefined ? [[metadata.name, since]] : []
    })
    return Object.fromEntries(waiting) as Readonly<Record<string, string>>
  }

  const tell = (
    budget: Budget,
    counts: object,
    next: Pick<Condition, 'status' | 'reason' | 'message'>,
  ) => {
    const { generation } = budget.metadata
    const condition = { type: 'DisruptionAllowed', ...next, observedGeneration: generation }
    const by = { manager, subresource: 'status' } as const
    rewrite(api, { of: disruptionBudgets, object: budget, by }, (current) => {
      const { disruptedPods: _, ...known } = current.status ?? {}
      const conditions = withCondition(known.conditions, condition, { now: timeOf(agenda.wall()) })
      const status = { ...known, ...counts, observedGeneration: generation, conditions }
      return { ...current, status } as Budget
    })
  }

  const wakeFor = ({ metadata: { namespace, labels } }: ApiObject) => {
    for (const budget of api.list(disruptionBudgets, namespace)) {
      if (matchesLabels(selectorOf(budget), labels)) loop.add(keyOf(placeOf(budget)), gathering)
    }
  }
  api.subscribe(disruptionBudgets, ({ type, object, old }) => {
    if (type !== 'DELETED' && old?.spec !== object.spec) loop.add(keyOf(placeOf(object)))
  })
  api.subscribe(pods, ({ type, object, old }) => {
    if (
      old === undefined ||
      type === 'DELETED' ||
      countsOtherwise(object as PodObject, old as PodObject)
    ) {
      wakeFor(object)
      if (old !== undefined && old.metadata.labels !== object.metadata.labels) wakeFor(old)
    }
  })
  for (const resource of [replicaSets, deployments]) {
    api.subscribe(resource, ({ object, old }) => {
      const replicas = (one: ApiObject) => (one.spec as WorkloadSpec | undefined)?.replicas
      if (old === undefined || replicas(old) === replicas(object)) return
      for (const budget of api.list(disruptionBudgets, object.metadata.namespace)) {
        loop.add(keyOf(placeOf(budget)), gathering)
      }
    })
  }
}

const countsOtherwise = (pod: PodObject, old: PodObject): boolean =>
  isReady(pod) !== isReady(old) ||
  pod.metadata.labels !== old.metadata.labels ||
  pod.metadata.ownerReferences !== old.metadata.ownerReferences ||
  pod.metadata.deletionTimestamp !== old.metadata.deletionTimestamp
