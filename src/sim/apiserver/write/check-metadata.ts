/** What metadata must look like, for every kind. */
import type { OwnerReference } from '../../../apis/object.ts'
import { all, changed, forbiddenField, required, wrong } from '../kinds/validate/field-errors.ts'
import { checkLabels } from '../kinds/validate/labels.ts'
import { checkQualifiedName, checkSubdomain } from '../kinds/validate/names.ts'
import type { ApiObject, Meta } from '../object.ts'
import type { FieldError } from '../refusal.ts'
import type { ResourceType } from '../resource-type.ts'

const mostAnnotationBytes = 262_144
const standardFinalizers = new Set(['kubernetes', 'orphan', 'foregroundDeletion'])

export function checkNewMetadata(
  { strategy }: ResourceType,
  { metadata }: ApiObject,
): FieldError[] {
  const checkName = strategy.validateName ?? checkSubdomain
  const { name, generateName = '' } = metadata
  return [
    // The end of a prefix may look like the middle of a name.
    ...(generateName === ''
      ? []
      : all('metadata.generateName', generateName, checkName(generateName.replace(/-$/, 'a')))),
    ...(name === ''
      ? [required('metadata.name', 'name or generateName is required')]
      : all('metadata.name', name, checkName(name))),
    ...checkMetadata(metadata),
  ]
}

const immutable = [
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const satisfies readonly (keyof Meta)[]

const none: readonly FieldError[] = []

export function checkChangedMetadata(next: Meta, old: Meta): readonly FieldError[] {
  const isSame = isSameMetadata(next, old) && immutable.every((field) => next[field] === old[field])
  if (isSame) return none
  return [
    ...(old.deletionTimestamp === undefined ? [] : checkNoNewFinalizers(next, old)),
    ...immutable.flatMap((field) =>
      changed(`metadata.${field}`, { next: next[field], old: old[field] }),
    ),
    ...(isSameMetadata(next, old) ? [] : checkMetadata(next)),
  ]
}

/** What was checked once need not be checked at every heartbeat. */
const isSameMetadata = (next: Meta, old: Meta): boolean =>
  next.labels === old.labels &&
  next.annotations === old.annotations &&
  next.ownerReferences === old.ownerReferences &&
  next.finalizers === old.finalizers

function checkNoNewFinalizers({ finalizers = [] }: Meta, old: Meta): FieldError[] {
  const added = finalizers.filter((one) => old.finalizers?.includes(one) !== true)
  if (added.length === 0) return []
  const list = `[]string{${added.map((one) => JSON.stringify(one)).join(', ')}}`
  const said = `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`
  return [forbiddenField('metadata.finalizers', said)]
}

const checkMetadata = ({ labels, annotations, ownerReferences, finalizers }: Meta) => [
  ...checkLabels(labels, 'metadata.labels'),
  ...checkAnnotations(annotations ?? {}),
  ...checkOwners(ownerReferences ?? []),
  ...checkFinalizers(finalizers ?? []),
]

function checkAnnotations(annotations: NonNullable<Meta['annotations']>): FieldError[] {
  const field = 'metadata.annotations'
  const errors = Object.keys(annotations).flatMap((key) =>
    all(field, key, checkQualifiedName(key.toLowerCase())),
  )
  const bytes = Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  )
  if (bytes <= mostAnnotationBytes) return errors
  const detail = `may not be more than ${mostAnnotationBytes} bytes`
  return [...errors, { field, type: 'Too long', detail }]
}

function checkOwners(owners: readonly OwnerReference[]): FieldError[] {
  const field = 'metadata.ownerReferences'
  const controllers = owners.filter(({ controller }) => controller === true)
  const [first, second] = controllers.map(({ kind, name }) => `${kind}/${name}`)
  const said = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`
  return [
    ...owners.flatMap((owner) => checkOwner(owner, field)),
    ...(second === undefined ? [] : [wrong(field, owners, said)]),
  ]
}

function checkOwner(owner: Partial<OwnerReference>, field: string): FieldError[] {
  const { apiVersion = '', kind = '' } = owner
  const parts = apiVersion.split('/')
  const [group, version] = parts.length === 1 ? ['', apiVersion] : parts
  const isEvent = kind === 'Event' && (apiVersion === 'v1' || group === 'events.k8s.io')
  const empty = (['kind', 'name', 'uid'] as const).filter((key) => (owner[key] ?? '') === '')
  return [
    ...(version === '' || parts.length > 2
      ? [wrong(`${field}.apiVersion`, apiVersion, 'version must not be empty')]
      : []),
    ...empty.map((key) => wrong(`${field}.${key}`, '', 'must not be empty')),
    ...(isEvent
      ? [wrong(field, owner, `${group}/${version}, Kind=Event is disallowed from being an owner`)]
      : []),
  ]
}

function checkFinalizers(finalizers: readonly string[]): FieldError[] {
  const field = 'metadata.finalizers'
  const said = 'name is neither a standard finalizer name nor is it fully qualified'
  return [
    ...finalizers.flatMap((name) => all(field, name, checkQualifiedName(name))),
    ...(finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')
      ? [wrong(field, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set')]
      : []),
    ...finalizers.flatMap((name, index) =>
      name.includes('/') || standardFinalizers.has(name)
        ? []
        : [wrong(`${field}[${index}]`, name, said)],
    ),
  ]
}
