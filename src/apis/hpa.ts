/** The parts of a HorizontalPodAutoscaler that we read: whose replicas it counts, and by what. */
import { type Keep, short } from './keep.ts'
import type { KubeObject, Resource } from './object.ts'

export type HorizontalPodAutoscaler = KubeObject & {
  readonly spec: {
    readonly scaleTargetRef: WorkloadRef
    readonly metrics?: readonly HpaMetric[]
  }
}

/** An object of the same namespace that makes pods. */
export type WorkloadRef = {
  readonly apiVersion?: string
  readonly kind: string
  readonly name: string
}

export type HpaMetric = {
  /** `Resource` over whole pods, `ContainerResource` over one container of each; others are not CPU. */
  readonly type: string
  readonly resource?: MeasuredResource
  readonly containerResource?: MeasuredResource
}

export type MeasuredResource = {
  readonly name: string
  /** `Utilization` is relative to the request. */
  readonly target: { readonly type: string }
}

export const horizontalPodAutoscalers: Resource<HorizontalPodAutoscaler> = {
  group: 'autoscaling',
  version: 'v2',
  plural: 'horizontalpodautoscalers',
  kind: 'HorizontalPodAutoscaler',
  namespaced: true,
}

export const workloadRefKeep: Keep = { apiVersion: short, kind: short, name: short }
const measuredKeep: Keep = { name: short, target: { type: short } }

export const hpaKeep: Keep = {
  spec: {
    scaleTargetRef: workloadRefKeep,
    metrics: { type: short, resource: measuredKeep, containerResource: measuredKeep },
  },
}

/** A copy of what an informer keeps: of all that changes every quarter of a minute, nothing. */
export const projectHpa = ({
  metadata,
  spec,
}: HorizontalPodAutoscaler): HorizontalPodAutoscaler => ({
  metadata: { name: metadata.name ?? '', namespace: metadata.namespace ?? '' },
  spec: {
    scaleTargetRef: { ...spec.scaleTargetRef },
    metrics: (spec.metrics ?? []).map(projectMetric),
  },
})

const projectMetric = ({ type, resource, containerResource }: HpaMetric): HpaMetric => ({
  type,
  ...(resource && { resource: projectMeasured(resource) }),
  ...(containerResource && { containerResource: projectMeasured(containerResource) }),
})

const projectMeasured = ({ name, target }: MeasuredResource): MeasuredResource => ({
  name,
  target: { type: target.type },
})
