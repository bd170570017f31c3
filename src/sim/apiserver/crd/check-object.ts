/** All that a version of a CRD demands of its objects, in the order in which the real server asks. */
import { wrong } from '../kinds/validate/field-errors.ts'
import { memberOf } from '../members.ts'
import { isJsonObject, type ApiObject, type Json } from '../object.ts'
import { goText } from '../patch/go-text.ts'
import type { FieldError } from '../refusal.ts'
import { growRules, runRules } from './cel/rules.ts'
import { checkEmbedded } from './check-embedded.ts'
import { checkLists } from './check-lists.ts'
import { checkValue } from './check-value.ts'
import { asJson } from './columns.ts'
import type { Scale } from './definition.ts'
import type { Schema } from './schema.ts'

type Demands = { readonly schema: Schema; readonly scale?: Scale | undefined }

export function checkCreate(object: ApiObject, { schema, scale }: Demands): readonly FieldError[] {
  const value = asJson(object)
  const errors = [
    ...checkValue(value, schema, { prefix: '' }),
    ...checkScale(value, scale, ['spec', 'status']),
    ...checkEmbedded(value, schema),
    ...checkLists(value, schema),
  ]
  return [...errors, ...checkRules(value, { schema, errors })]
}

export function checkUpdate(
  next: ApiObject,
  old: ApiObject,
  { schema, scale, isStatus }: Demands & { readonly isStatus: boolean },
): readonly FieldError[] {
  const value = asJson(next)
  const before = asJson(old)
  const errors = [
    ...(isStatus
      ? checkStatus(value, before, schema)
      : checkValue(value, schema, { prefix: '', old: { value: before } })),
    ...checkScale(value, scale, isStatus ? ['status'] : ['spec', 'status']),
    ...(isStatus ? [] : checkEmbedded(value, schema)),
    // A list that had duplicates before may keep them.
    ...(checkLists(before, schema).length > 0 ? [] : checkLists(value, schema)),
  ]
  return [...errors, ...checkRules(value, { schema, errors, old: before })]
}

function checkStatus(value: Json, before: Json, { properties }: Schema): readonly FieldError[] {
  const status = isJsonObject(value) ? value['status'] : undefined
  const old = isJsonObject(before) ? before['status'] : undefined
  const schema = properties?.['status']
  if (status === undefined || !schema) return []
  return checkValue(status, schema, {
    prefix: 'status',
    ...(old !== undefined && { old: { value: old } }),
  })
}

const notChecked = wrong(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
)

const blocking = new Set<FieldError['type']>([
  'Unsupported value',
  'Required value',
  'Too long',
  'Too many',
])

function checkRules(
  value: Json,
  { schema, errors, old }: { schema: Schema; errors: readonly FieldError[]; old?: Json },
): readonly FieldError[] {
  const tree = growRules(schema, true)
  if (!tree) return []
  const isBlocked = errors.some(
    ({ type, reason }) => blocking.has(type) || reason === 'FieldValueTypeInvalid',
  )
  if (isBlocked) return [notChecked]
  return runRules(tree, value, old === undefined ? {} : { old: { value: old } })
}

const MAX_REPLICAS = 2 ** 31 - 1

function checkScale(
  value: Json,
  scale: Scale | undefined,
  parts: readonly ('spec' | 'status')[],
): readonly FieldError[] {
  if (!scale) return []
  const errors = parts.flatMap((part) => {
    const path = part === 'spec' ? scale.specReplicasPath : scale.statusReplicasPath
    const replicas = valueAt(value, path)
    if (replicas === undefined) return []
    if (typeof replicas !== 'number') return [wrongAccessor(path, replicas, ['int64', 0])]
    if (replicas < 0) return [wrong(path, replicas, 'should be a non-negative integer')]
    if (replicas <= MAX_REPLICAS) return []
    return [wrong(path, replicas, `should be less than or equal to ${MAX_REPLICAS}`)]
  })
  const { labelSelectorPath } = scale
  if (!parts.includes('status') || labelSelectorPath === undefined) return errors
  const selector = valueAt(value, labelSelectorPath)
  if (selector === undefined || typeof selector === 'string') return errors
  return [...errors, wrongAccessor(labelSelectorPath, selector, ['string', ''])]
}

/** Replicas are at simple paths: fields and dots only. */
const valueAt = (value: Json, path: string): Json | undefined =>
  path
    .replace(/^\./, '')
    .split('.')
    .reduce<Json | undefined>(
      (at, name) => (isJsonObject(at) ? memberOf(at, name) : undefined),
      value,
    )

function wrongAccessor(
  path: string,
  value: Json,
  [wanted, zero]: readonly [string, Json],
): FieldError {
  const numeric = Number.isInteger(value) ? 'int64' : 'float64'
  const got = typeof value === 'number' ? numeric : typeof value
  const detail = `${path} accessor error: ${goText(value)} is of the type ${got}, expected ${wanted}`
  return wrong(path, zero, detail)
}
