import { memberOf } from '../members.ts'
import type { ApiObject } from '../object.ts'
import type { FieldError } from '../refusal.ts'
import { age, column } from './columns.ts'
import { checkImmutable, checkKeys, mostBytes, sizeOfBinary, tooLarge } from './config-map.ts'
import type { KindRules } from './kind-rules.ts'
import { fill } from './pod/defaults.ts'
import { changed, required, wrong } from './validate/field-errors.ts'

type Secret = ApiObject & {
  readonly type?: string
  readonly data?: Readonly<Record<string, string>>
  readonly stringData?: Readonly<Record<string, string>>
}

/** Texts are written for convenience only: they are kept as data. */
function setDefaults(object: ApiObject): ApiObject {
  const { stringData, ...secret } = fill(object as Secret, { type: 'Opaque' })
  if (stringData === undefined) return secret
  const texts = Object.entries(stringData).map(([key, text]) => [
    key,
    Buffer.from(text).toString('base64'),
  ])
  return { ...secret, data: { ...secret.data, ...(Object.fromEntries(texts) as Secret['data']) } }
}

const keysOfType: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
}
const serviceAccountName = 'kubernetes.io/service-account.name'

function checkType({ type = '', data = {}, metadata }: Secret): FieldError[] {
  if (type === 'kubernetes.io/service-account-token' && !metadata.annotations?.[serviceAccountName])
    return [required(`metadata.annotations[${serviceAccountName}]`)]
  const basic = ['username', 'password']
  if (type === 'kubernetes.io/basic-auth')
    return basic.some((key) => Object.hasOwn(data, key))
      ? []
      : basic.map((key) => required(`data[${key}]`))
  const keys = memberOf(keysOfType, type) ?? []
  const errors = keys
    .filter((key) => !Object.hasOwn(data, key))
    .map((key) => required(`data[${key}]`))
  const [config] = type.startsWith('kubernetes.io/docker') ? keys : []
  const text = config && data[config]
  if (config && text !== undefined && !isJson(Buffer.from(text, 'base64').toString()))
    errors.push(wrong(`data[${config}]`, '<secret contents redacted>', 'must be a JSON object'))
  return errors
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function check(object: ApiObject): FieldError[] {
  const secret = object as Secret
  const isLarge = sizeOfBinary(secret.data) > mostBytes
  return [
    ...checkKeys(secret.data, 'data'),
    ...(isLarge ? [tooLarge('data')] : []),
    ...checkType(secret),
  ]
}

const typeOf = (object: ApiObject): string => (object as Secret).type ?? ''

export const secretRules: KindRules = {
  strategy: {
    setDefaults,
    validateCreate: check,
    validateUpdate: (next, old) => [
      ...changed('type', { next: typeOf(next), old: typeOf(old) }),
      ...checkImmutable(next, { old, fields: ['data'] }),
      ...check(next),
    ],
  },
  columns: [
    column(['Type', 'What the data are for.'], typeOf),
    column(
      ['Data', 'Number of keys.'],
      (object) => Object.keys((object as Secret).data ?? {}).length,
    ),
    age,
  ],
  selectableFields: { type: typeOf },
  hasGeneration: false,
}
