import { isDeepStrictEqual } from 'node:util'

import type { ApiObject } from '../object.ts'
import type { FieldError } from '../refusal.ts'
import { age, column } from './columns.ts'
import type { KindRules } from './kind-rules.ts'
import { all, forbiddenField, wrong } from './validate/field-errors.ts'
import { checkConfigKey } from './validate/names.ts'

type Texts = Readonly<Record<string, string>>
type ConfigMap = ApiObject & {
  readonly data?: Texts
  readonly binaryData?: Texts
  readonly immutable?: boolean
}

/** 1 MiB of values, as in Secrets. */
export const mostBytes = 1_048_576

export const checkKeys = (texts: Texts | undefined, field: string): FieldError[] =>
  Object.keys(texts ?? {}).flatMap((key) => all(`${field}[${key}]`, key, checkConfigKey(key)))

export const tooLarge = (field: string): FieldError => ({
  field,
  type: 'Too long',
  detail: `may not be more than ${mostBytes} bytes`,
})

/** ConfigMaps and Secrets may be closed against changes; that too cannot be taken back. */
export function checkImmutable(
  next: ApiObject,
  { old, fields }: { readonly old: ApiObject; readonly fields: readonly string[] },
): FieldError[] {
  if (old['immutable'] !== true) return []
  const changed = fields.filter((field) => !isDeepStrictEqual(next[field], old[field]))
  const broken = next['immutable'] === true ? changed : ['immutable', ...changed]
  return broken.map((field) => forbiddenField(field, 'field is immutable when `immutable` is set'))
}

const sizeOf = (texts: Texts | undefined, encoding: BufferEncoding): number =>
  Object.values(texts ?? {}).reduce((sum, text) => sum + Buffer.byteLength(text, encoding), 0)

export const sizeOfBinary = (texts: Texts | undefined): number => sizeOf(texts, 'base64')

function check(object: ApiObject): FieldError[] {
  const { data = {}, binaryData = {} } = object as ConfigMap
  const twice = Object.keys(data).filter((key) => Object.hasOwn(binaryData, key))
  const isLarge = sizeOf(data, 'utf8') + sizeOfBinary(binaryData) > mostBytes
  return [
    ...checkKeys(data, 'data'),
    ...twice.map((key) => wrong(`data[${key}]`, key, 'duplicate of key present in binaryData')),
    ...checkKeys(binaryData, 'binaryData'),
    ...(isLarge ? [tooLarge('')] : []),
  ]
}

const countKeys = (object: ApiObject): number => {
  const { data = {}, binaryData = {} } = object as ConfigMap
  return Object.keys(data).length + Object.keys(binaryData).length
}

export const configMapRules: KindRules = {
  strategy: {
    validateCreate: check,
    validateUpdate: (next, old) => [
      ...checkImmutable(next, { old, fields: ['data', 'binaryData'] }),
      ...check(next),
    ],
  },
  columns: [column(['Data', 'Number of keys.'], countKeys), age],
  selectableFields: {},
  hasGeneration: false,
}
