/**
 * PodAllocation: what one pod should have, and what became of it. Named as its pod and owned by it.
 *
 * The schemas of spec and status are the one source: these types, `deploy/crds` and `docs/reference`
 * follow from them (`npm run generate`). A process loads none of them: Kubernetes does the checking.
 */
import type { InferOutput } from 'valibot'

import { parseCappedMillicores } from '../core/quantity.ts'
import type { Millicores } from '../core/units.ts'
import { type Keep, short, whole } from './keep.ts'
import { apiVersion, groups, overrideAnnotation } from './names.ts'
import {
  type DeepReadonly,
  fieldsEntryKeep,
  type KubeObject,
  controllerKeep,
  type Resource,
} from './object.ts'
import type { podAllocationSpec } from './pod-allocation-spec.ts'
import type { podAllocationStatus } from './pod-allocation-status.ts'
import { MOST_CPU } from './pod.ts'

export type PodAllocationSpec = DeepReadonly<InferOutput<typeof podAllocationSpec>>
export type PodAllocationStatus = DeepReadonly<InferOutput<typeof podAllocationStatus>>
export type PodAllocation = KubeObject & {
  readonly spec: PodAllocationSpec
  readonly status?: PodAllocationStatus
}

export const podAllocations: Resource<PodAllocation> = {
  group: groups.allocation,
  version: apiVersion,
  plural: 'podallocations',
  kind: 'PodAllocation',
  namespaced: true,
}

/** As Kubernetes means it: a bare number counts CPUs, not millicores. Its schema bounds no quantity. */
export const millicoresIn = (quantity: string | number): Millicores =>
  Math.min(MOST_CPU, parseCappedMillicores(String(quantity))) as Millicores

/** A person owns it, and it is left alone. */
export const isPersons = ({ metadata }: KubeObject): boolean =>
  metadata.annotations?.[overrideAnnotation] === 'true'

/** Whoever may write one could write a large spec: it counts as unread then, and so as none. */
export const podAllocationKeep: Keep = {
  metadata: {
    generation: short,
    creationTimestamp: short,
    deletionTimestamp: short,
    annotations: { [overrideAnnotation]: short },
    ownerReferences: controllerKeep,
    managedFields: fieldsEntryKeep,
  },
  spec: whole,
  status: whole,
}
