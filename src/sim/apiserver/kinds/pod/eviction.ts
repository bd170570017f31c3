/** `pods/eviction`: a deletion that a PodDisruptionBudget can refuse. */
import { type LabelSelector, matchesLabels } from '../../../label-selector.ts'
import { disruptionBudgets, pods } from '../../../resources.ts'
import { timeOf } from '../../../timestamps.ts'
import type { ApiObject } from '../../object.ts'
import { badRequest, conflict, forbidden, Refusal, type Cause } from '../../refusal.ts'
import type { ActionRequest } from '../../resource-type.ts'
import { isEmptySelector } from '../validate/labels.ts'
import { withCondition } from './conditions.ts'
import { asPod, type Pod } from './types.ts'

/** How many evictions may wait for the controller to see them. */
const mostDisrupted = 2000

type Options = {
  readonly dryRun?: readonly string[]
  readonly gracePeriodSeconds?: number
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan'
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
}
type Eviction = { readonly metadata?: { readonly name?: string }; readonly deleteOptions?: Options }

type Condition = {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
  readonly lastTransitionTime: string
  readonly observedGeneration?: number
}
type Budget = ApiObject<
  { readonly selector?: LabelSelector; readonly unhealthyPodEvictionPolicy?: string },
  {
    readonly observedGeneration?: number
    readonly disruptionsAllowed?: number
    readonly currentHealthy?: number
    readonly desiredHealthy?: number
    readonly disruptedPods?: Readonly<Record<string, string>>
    readonly conditions?: readonly Condition[]
  }
>

export function evictPod(asked: ActionRequest): void {
  const { metadata, deleteOptions = {} } = asked.body as Eviction
  const pod = asPod(asked.object)
  if (metadata?.name !== pod.metadata.name)
    throw badRequest('name in URL does not match name in Eviction object')
  const dryRun = asked.dryRun || (deleteOptions.dryRun ?? []).length > 0
  if (!isDisruptedAnyway(pod)) chargeBudget({ ...asked, dryRun }, pod)
  deletePod({ ...asked, dryRun }, pod, deleteOptions)
}

/** It serves nobody now. */
const isDisruptedAnyway = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp !== undefined ||
  status?.phase === 'Succeeded' ||
  status?.phase === 'Failed' ||
  status?.phase === 'Pending'

function chargeBudget(asked: ActionRequest, pod: Pod): void {
  const { labels = {}, namespace } = pod.metadata
  const [budget, ...others] = (
    asked.at.all(disruptionBudgets, namespace) as readonly Budget[]
  ).filter(({ spec }) => selects(spec?.selector, labels))
  if (budget === undefined) return
  if (others.length > 0)
    throw new Refusal({
      code: 500,
      reason: '',
      message:
        'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    })
  if (isHealthy(pod) || !mayGoUnhealthy(budget)) takeFrom(budget, asked, pod)
}

/** In policy/v1 an empty selector is for all pods. */
const selects = (
  selector: LabelSelector | undefined,
  labels: Readonly<Record<string, string>>,
): boolean =>
  selector !== undefined && (isEmptySelector(selector) || matchesLabels(selector, labels))

const isHealthy = ({ status }: Pod): boolean =>
  status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true

/** A pod that is not ready does not count, so that its budget loses nothing. */
function mayGoUnhealthy({ spec, status = {} }: Budget): boolean {
  const { currentHealthy = 0, desiredHealthy = 0 } = status
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true
  return currentHealthy >= desiredHealthy && desiredHealthy > 0
}

function takeFrom(budget: Budget, { put, at, dryRun }: ActionRequest, pod: Pod): void {
  const { metadata, status = {} } = budget
  const { name } = metadata
  const { observedGeneration = 0, disruptionsAllowed = 0, disruptedPods = {} } = status
  if (observedGeneration < (metadata.generation ?? 0))
    throw tooMany(`The disruption budget ${name} is still being processed by the server.`, 10)
  const named = { group: 'policy', plural: 'poddisruptionbudget' }
  if (disruptionsAllowed < 0)
    throw forbidden(named, name, { why: 'pdb disruptions allowed is negative' })
  if (Object.keys(disruptedPods).length > mostDisrupted) {
    const why = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller'
    throw forbidden(named, name, { why })
  }
  if (disruptionsAllowed === 0) throw tooMany(whyNone(budget), 0)
  if (dryRun) return
  put(disruptionBudgets, {
    ...budget,
    status: {
      ...status,
      disruptionsAllowed: disruptionsAllowed - 1,
      disruptedPods: { ...disruptedPods, [pod.metadata.name]: timeOf(at.now) },
      ...(disruptionsAllowed === 1 && { conditions: exhausted(budget, at.now) }),
    },
  })
}

function exhausted({ metadata, status }: Budget, now: number): readonly Condition[] {
  const { conditions = [] } = status ?? {}
  const old = conditions.find(({ type }) => type === 'DisruptionAllowed')
  const next: Condition = {
    type: 'DisruptionAllowed',
    status: 'False',
    reason: 'InsufficientPods',
    message: '',
    lastTransitionTime: timeOf(now),
    observedGeneration: metadata.generation ?? 0,
  }
  return old ? conditions.map((one) => (one === old ? next : one)) : [...conditions, next]
}

function whyNone({ metadata: { name }, status = {} }: Budget): string {
  const { currentHealthy = 0, desiredHealthy = 0, conditions = [] } = status
  const { reason, message } =
    conditions.find(
      ({ type, status, message }) =>
        type === 'DisruptionAllowed' && status === 'False' && message !== '',
    ) ?? {}
  const not = `The disruption budget ${name} does not allow evicting pods currently`
  if (reason === 'SyncFailed') return `${not} because it failed sync: ${message}`
  if (currentHealthy <= desiredHealthy)
    return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
  return reason === undefined ? not : `${not} (${reason}): ${message}`
}

function tooMany(message: string, retryAfterSeconds: number): Refusal {
  const causes: readonly Cause[] = [{ reason: 'DisruptionBudget', message }]
  return new Refusal({
    code: 429,
    reason: 'TooManyRequests',
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: { ...(retryAfterSeconds > 0 && { retryAfterSeconds }), causes },
  })
}

function deletePod({ put, remove, at, dryRun }: ActionRequest, pod: Pod, options: Options): void {
  const { gracePeriodSeconds, propagationPolicy, preconditions = {} } = options
  const { uid, resourceVersion } = preconditions
  checkConditions(pod, preconditions)
  if (!dryRun) {
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
    } as const
    put(pods, { ...pod, status: withCondition(pod.status ?? {}, condition, at.now) })
  }
  remove({
    ...(gracePeriodSeconds !== undefined && { graceSeconds: gracePeriodSeconds }),
    ...(propagationPolicy && { propagation: propagationPolicy }),
    ...(uid && { uid }),
    ...(resourceVersion && dryRun && { resourceVersion }), // else it is no longer the newest
    dryRun,
  })
}

function checkConditions({ metadata }: Pod, wanted: NonNullable<Options['preconditions']>): void {
  const { uid, resourceVersion } = metadata
  const named = { group: '', plural: 'Pod' }
  if (wanted.uid && wanted.uid !== uid)
    throw conflict(
      named,
      metadata.name,
      `the UID in the precondition (${wanted.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    )
  if (wanted.resourceVersion && wanted.resourceVersion !== resourceVersion)
    throw conflict(
      named,
      metadata.name,
      `the ResourceVersion in the precondition (${wanted.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    )
}
