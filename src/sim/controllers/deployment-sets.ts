/** The ReplicaSets of a Deployment: one a template, with the number of its revision. */
import type { Api } from '../apiserver/api.ts'
import { type Meta, placeOf } from '../apiserver/object.ts'
import type { RecordEvent } from '../record-event.ts'
import { deployments, replicaSets } from '../resources.ts'
import { rewrite } from '../rewrite.ts'
import {
  boundsOf,
  type Deployment,
  desiredAnnotation,
  historyAnnotation,
  maxAnnotation,
  replicasOf,
  revisionAnnotation,
  revisionOf,
} from './deployment-object.ts'
import type { ReplicaSet } from './replica-set-object.ts'
import { hashLabel, templateHash } from './template-hash.ts'
import { manager, ownerRefTo } from './workload.ts'

/** These stay where they are; all others of the Deployment are copied to its newest set. */
const ownAnnotations = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deprecated.deployment.rollback.to',
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  maxAnnotation,
])

export function newSetOf(
  deployment: Deployment,
  { revision, replicas }: { readonly revision: number; readonly replicas: number },
) {
  const { template = { spec: {} }, selector = {}, minReadySeconds } = deployment.spec ?? {}
  const hash = templateHash(template, deployment.status?.collisionCount)
  const labels = { ...template.metadata?.labels, [hashLabel]: hash }
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${deployment.metadata.name}-${hash}`,
      namespace: deployment.metadata.namespace,
      labels,
      annotations: {
        ...copiedFrom(deployment),
        ...sizeAnnotations(deployment),
        [revisionAnnotation]: String(revision),
      },
      ownerReferences: [ownerRefTo(deployment)],
    },
    spec: {
      replicas,
      ...(minReadySeconds !== undefined && { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [hashLabel]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  }
}

const copiedFrom = ({ metadata }: Deployment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metadata.annotations ?? {}).filter(([name]) => !ownAnnotations.has(name)),
  )

const sizeAnnotations = (deployment: Deployment) => ({
  [desiredAnnotation]: String(replicasOf(deployment)),
  [maxAnnotation]: String(replicasOf(deployment) + boundsOf(deployment).maxSurge),
})

/** The newest revision is the template's, also after it went back to an older one. */
export function markNewest(
  api: Api,
  { deployment, fresh, revision }: { deployment: Deployment; fresh: ReplicaSet; revision: number },
): ReplicaSet | undefined {
  const { minReadySeconds } = deployment.spec ?? {}
  const marked = rewrite(api, { of: replicaSets, object: fresh, by: { manager } }, (set) => {
    if (set.spec === undefined) return set
    const annotations = { ...set.metadata.annotations, ...copiedFrom(deployment) }
    const before = annotations[revisionAnnotation]
    if (Number(before ?? 0) < revision) {
      annotations[revisionAnnotation] = String(revision)
      if (before !== undefined) {
        const history = annotations[historyAnnotation]
        annotations[historyAnnotation] = history ? `${history},${before}` : before
      }
    }
    const isMarked = Object.entries(annotations).every(
      ([name, value]) => set.metadata.annotations?.[name] === value,
    )
    if (isMarked && set.spec.minReadySeconds === minReadySeconds) return set
    const spec = { ...set.spec, ...(minReadySeconds !== undefined && { minReadySeconds }) }
    return { ...set, metadata: { ...set.metadata, annotations }, spec }
  })
  if (marked !== undefined) markRevision(api, deployment, revisionOf(marked))
  return marked
}

/** Through the status, as the real controller does: the generation stays. */
export function markRevision(api: Api, deployment: Deployment, revision: number): void {
  const by = { manager, subresource: 'status' } as const
  rewrite(api, { of: deployments, object: deployment, by }, (current) => {
    const annotations = {
      ...current.metadata.annotations,
      [revisionAnnotation]: String(revision),
    }
    const metadata: Meta = { ...current.metadata, annotations }
    return revisionOf(current) === revision ? current : { ...current, metadata }
  })
}

export function resizeSet(
  { api, record }: { readonly api: Api; readonly record: RecordEvent },
  { deployment, set, replicas }: { deployment: Deployment; set: ReplicaSet; replicas: number },
): void {
  const was = replicasOf(set)
  rewrite(api, { of: replicaSets, object: set, by: { manager } }, (current) => {
    if (current.spec === undefined) return current
    const annotations = { ...current.metadata.annotations, ...sizeAnnotations(deployment) }
    const metadata = { ...current.metadata, annotations }
    return { ...current, metadata, spec: { ...current.spec, replicas } }
  })
  if (was === replicas) return
  const way = replicas > was ? 'up' : 'down'
  record({
    about: deployment,
    reason: 'ScalingReplicaSet',
    message: `Scaled ${way} replica set ${set.metadata.name} from ${was} to ${replicas}`,
  })
}

/** Sets without pods beyond the number that the Deployment keeps for going back. */
export function forgetOld(api: Api, deployment: Deployment, old: readonly ReplicaSet[]): void {
  const limit = deployment.spec?.revisionHistoryLimit ?? 10
  const living = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const excess = living
    .toSorted((a, b) => revisionOf(a) - revisionOf(b))
    .slice(0, Math.max(0, living.length - limit))
  for (const set of excess) {
    const { metadata, status } = set
    const isSeen = (metadata.generation ?? 0) <= (status?.observedGeneration ?? 0)
    if (replicasOf(set) === 0 && status?.replicas === 0 && isSeen) {
      api.remove(replicaSets, placeOf(set))
    }
  }
}
