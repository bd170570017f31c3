import type { ApiObject } from '../object.ts'
import type { FieldError } from '../refusal.ts'
import type { UpdateSituation } from '../resource-type.ts'
import { age, column } from './columns.ts'
import type { KindRules } from './kind-rules.ts'
import { all, wrong } from './validate/field-errors.ts'
import { checkDnsLabel, checkQualifiedName } from './validate/names.ts'

type Spec = { readonly finalizers?: readonly string[] }
type Status = { readonly phase?: string }
type Namespace = ApiObject<Spec, Status>

const nameLabel = 'kubernetes.io/metadata.name'
const finalizer = 'kubernetes'
const standardFinalizers = new Set([finalizer, 'orphan', 'foregroundDeletion'])

/** Policies select namespaces by name through this label: it cannot say otherwise. */
function labelled(object: ApiObject): ApiObject {
  const { metadata } = object
  if (!metadata.name || metadata.labels?.[nameLabel] === metadata.name) return object
  const labels = { ...metadata.labels, [nameLabel]: metadata.name }
  return { ...object, metadata: { ...metadata, labels } }
}

function prepareCreate(object: ApiObject): ApiObject {
  const { spec } = object as Namespace
  const given = spec?.finalizers ?? []
  const finalizers = given.includes(finalizer) ? given : [...given, finalizer]
  return { ...labelled(object), spec: { ...spec, finalizers }, status: { phase: 'Active' } }
}

/** Its finalizers change only through `finalize`: it empties the namespace first. */
const prepareUpdate = (next: ApiObject, old: ApiObject, { subresource }: UpdateSituation) =>
  subresource === 'finalize' ? next : { ...next, spec: old.spec }

function check(object: ApiObject): FieldError[] {
  const { spec } = object as Namespace
  return (spec?.finalizers ?? []).flatMap((name) => {
    const errors = all('spec.finalizers', name, checkQualifiedName(name))
    const isKnown = name.includes('/') || standardFinalizers.has(name)
    if (errors.length > 0 || isKnown) return errors
    const said = 'name is neither a standard finalizer name nor is it fully qualified'
    return [wrong('spec.finalizers', name, said)]
  })
}

const phaseOf = ({ status }: ApiObject): string => (status as Status | undefined)?.phase ?? ''

export const namespaceRules: KindRules = {
  strategy: {
    setDefaults: labelled,
    prepareCreate,
    prepareUpdate,
    validateCreate: check,
    validateUpdate: check,
    validateName: checkDnsLabel,
  },
  columns: [column(['Status', 'Phase of its life.'], phaseOf), age],
  selectableFields: { name: ({ metadata }) => metadata.name, 'status.phase': phaseOf },
  hasGeneration: false,
}
