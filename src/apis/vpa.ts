/** The parts of a VerticalPodAutoscaler that we read: whose pods it sizes, and whether it acts. */
import { type WorkloadRef, workloadRefKeep } from './hpa.ts'
import { type Keep, short } from './keep.ts'
import type { KubeObject, Resource } from './object.ts'

export type VerticalPodAutoscaler = KubeObject & {
  readonly spec: {
    readonly targetRef?: WorkloadRef
    /** Without it, or without its mode, it acts. */
    readonly updatePolicy?: { readonly updateMode?: string }
    readonly resourcePolicy?: { readonly containerPolicies?: readonly ContainerPolicy[] }
  }
}

export type ContainerPolicy = {
  /** `*` is all that are not named. */
  readonly containerName?: string
  readonly mode?: string
  readonly controlledResources?: readonly string[]
}

/** Its definition is not part of Kubernetes: many clusters lack it. */
export const verticalPodAutoscalers: Resource<VerticalPodAutoscaler> = {
  group: 'autoscaling.k8s.io',
  version: 'v1',
  plural: 'verticalpodautoscalers',
  kind: 'VerticalPodAutoscaler',
  namespaced: true,
}

export const vpaKeep: Keep = {
  spec: {
    targetRef: workloadRefKeep,
    updatePolicy: { updateMode: short },
    resourcePolicy: {
      containerPolicies: { containerName: short, mode: short, controlledResources: short },
    },
  },
}

/** A copy of what an informer keeps: not what it recommends. */
export const projectVpa = ({ metadata, spec }: VerticalPodAutoscaler): VerticalPodAutoscaler => ({
  metadata: { name: metadata.name ?? '', namespace: metadata.namespace ?? '' },
  spec: {
    ...(spec.targetRef && { targetRef: { ...spec.targetRef } }),
    ...(spec.updatePolicy && { updatePolicy: { ...spec.updatePolicy } }),
    ...(spec.resourcePolicy && { resourcePolicy: structuredClone(spec.resourcePolicy) }),
  },
})
