/** What every write needs to know: where objects are, the time, chance, and who may refuse. */
import type { Random } from '../../../core/random.ts'
import type { Agenda } from '../../agenda.ts'
import type { ApiObject } from '../object.ts'
import { updateManagedFields } from '../patch/managed-fields.ts'
import {
  apiVersionOf,
  type ResourceType,
  type Situation,
  type Subresource,
} from '../resource-type.ts'
import type { Store } from '../store/store.ts'

export type AdmissionRequest = {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE'
  readonly type: ResourceType
  /** `''` is the object itself. */
  readonly subresource: '' | Subresource
  /** Of a deletion: what is to be deleted. */
  readonly object: ApiObject
  readonly old: ApiObject | undefined
  readonly dryRun: boolean
  readonly at: Situation
}

/** Returns the object, changed or not, or throws a `Refusal`. */
export type Admit = (request: AdmissionRequest) => ApiObject

export type Cluster = {
  readonly store: Store
  readonly agenda: Agenda
  readonly random: Random
  /** Before the kind's rules: what is added. */
  readonly admit: Admit
  /** After them: what is refused all the same, such as what exceeds a quota. */
  readonly examine?: ((request: AdmissionRequest) => void) | undefined
}

export type Write = {
  readonly type: ResourceType
  readonly subresource: '' | Subresource
  /** In managedFields. */
  readonly manager: string
  /** Server-side apply has brought managedFields up to date itself. */
  readonly applied?: boolean
  readonly dryRun: boolean
}

export function manageFields(
  { agenda }: Cluster,
  { type, manager, subresource, applied = false }: Write,
  { next, old }: { readonly next: ApiObject; readonly old: ApiObject | undefined },
): ApiObject {
  if (applied) return next
  return updateManagedFields({
    old,
    next,
    manager,
    apiVersion: apiVersionOf(type),
    shape: type.shape,
    ownsStatus: ownsStatus(type),
    ...(subresource !== '' && { subresource }),
    now: agenda.wall(),
  })
}

export const situationOf = ({ store, agenda }: Cluster): Situation => ({
  now: agenda.wall(),
  find: store.get,
  all: store.list,
})

/** Kinds of CRDs: the real server has other code for them, which differs here and there. */
export const isCustom = (type: ResourceType): boolean => type.writtenSchema !== undefined

export const hasStatus = ({ subresources }: ResourceType): boolean =>
  subresources.includes('status')

/** The status of a CRD without the subresource is a field like others. */
export const ownsStatus = (type: ResourceType): boolean => isCustom(type) && !hasStatus(type)
