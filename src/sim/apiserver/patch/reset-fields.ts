/**
 * What a write cannot change at some address, and therefore cannot own: the main resource leaves the
 * status alone, `/status` the spec, and so on. Kinds of CRDs have shapes without a type name.
 */
import type { ObjectShape } from '../shape.ts'
import { type FieldSet, differenceBelow, including, none } from './field-set.ts'

const status: FieldSet = { 'f:status': none }
const spec: FieldSet = { 'f:spec': none }
const resources: FieldSet = { '*': { 'f:resizePolicy': none, 'f:resources': none } }
const resizable: FieldSet = {
  'f:spec': { 'f:containers': resources, 'f:initContainers': resources },
}

/** Through `/status`, beside the spec. */
const alsoReset: Readonly<Record<string, FieldSet>> = {
  'io.k8s.api.apps.v1.Deployment': { 'f:metadata': { 'f:labels': none } },
  'io.k8s.api.core.v1.Pod': {
    'f:metadata': { 'f:deletionTimestamp': none, 'f:ownerReferences': none },
  },
}

export type Address = {
  readonly shape: ObjectShape
  readonly subresource?: string | undefined
  /** Of a CRD without the subresource `status`, in which it is a field like others. */
  readonly ownsStatus?: boolean | undefined
}

export function dropReset(
  set: FieldSet,
  { shape, subresource, ownsStatus = false }: Address,
): FieldSet {
  switch (subresource) {
    case undefined:
    case '':
    case 'finalize':
      return ownsStatus ? set : differenceBelow(set, status)
    case 'status': {
      const also = shape.typeName === undefined ? { 'f:metadata': none } : alsoReset[shape.typeName]
      const left = differenceBelow(set, spec)
      return also === undefined ? left : differenceBelow(left, also)
    }
    case 'resize':
      return including(set, resizable)
    default:
      return set
  }
}
