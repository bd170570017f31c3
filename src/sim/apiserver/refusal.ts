/** How the server says no: every answer of kind Status in one place, in the real server's words. */
import type { JsonObject } from './object.ts'

export type Cause = {
  readonly reason?: string
  readonly message: string
  readonly field?: string
}

type StatusDetails = {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly Cause[]
  readonly retryAfterSeconds?: number
}

/** Thrown by any part of the server; the handler answers with it. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: number
  readonly reason: string
  readonly details: StatusDetails | undefined
  /** Of a list whose continue token is too old: one to go on with. */
  readonly next: string | undefined

  constructor(at: {
    readonly code: number
    readonly reason: string
    readonly message: string
    readonly details?: StatusDetails
    readonly next?: string
  }) {
    super(at.message)
    this.code = at.code
    this.reason = at.reason
    this.details = at.details
    this.next = at.next
  }
}

export const statusOf = ({ code, reason, message, details, next }: Refusal): JsonObject => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: next === undefined ? {} : { continue: next },
  status: 'Failure',
  message,
  ...(reason !== '' && { reason }),
  ...(details && { details: details }),
  code,
})

/** What errors say about a resource: `pods`, `podallocations.allocation.mbcas.io`. */
export type Named = { readonly group: string; readonly plural: string }

const qualified = ({ group, plural }: Named): string =>
  group === '' ? plural : `${plural}.${group}`
const detailsOf = ({ group, plural }: Named, name: string): StatusDetails => ({
  name,
  ...(group !== '' && { group }),
  kind: plural,
})

export const notFound = (of: Named, name: string): Refusal =>
  new Refusal({
    code: 404,
    reason: 'NotFound',
    message: `${qualified(of)} "${name}" not found`,
    details: detailsOf(of, name),
  })

/** The path leads to no resource type at all. */
export const noSuchResource = (): Refusal =>
  new Refusal({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  })

/** The resource has no such verb. */
export const methodNotAllowed = (): Refusal =>
  new Refusal({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  })

export const unauthorized = (): Refusal =>
  new Refusal({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' })

export const unsupportedMediaType = (message: string): Refusal =>
  new Refusal({ code: 415, reason: 'UnsupportedMediaType', message })

/** Go could not read a number, and the server did not expect that. */
export const notANumber = (text: string): string =>
  `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`

/** A version of the future. */
export const tooLargeVersion = (asked: number, current: number): Refusal =>
  new Refusal({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${asked}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  })

export const tooOldVersion = (asked: number, oldest: number): Refusal =>
  new Refusal({
    code: 410,
    reason: 'Expired',
    message: `too old resource version: ${asked} (${oldest})`,
  })

export const alreadyExists = (of: Named, name: string): Refusal =>
  new Refusal({
    code: 409,
    reason: 'AlreadyExists',
    message: `${qualified(of)} "${name}" already exists`,
    details: detailsOf(of, name),
  })

export const conflict = (of: Named, name: string, why: string): Refusal =>
  new Refusal({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${qualified(of)} "${name}": ${why}`,
    details: detailsOf(of, name),
  })

export const forbidden = (
  of: Named,
  name: string,
  { why, causes }: { readonly why: string; readonly causes?: readonly Cause[] },
): Refusal =>
  new Refusal({
    code: 403,
    reason: 'Forbidden',
    message: `${qualified(of)} "${name}" is forbidden: ${why}`,
    details: { ...detailsOf(of, name), ...(causes && { causes }) },
  })

export const badRequest = (message: string): Refusal =>
  new Refusal({ code: 400, reason: 'BadRequest', message })

/** One complaint about one field, as Go's field.Error. */
export type FieldError = {
  readonly field: string
  readonly type:
    | 'Required value'
    | 'Invalid value'
    | 'Unsupported value'
    | 'Forbidden'
    | 'Duplicate value'
    | 'Not found'
    | 'Too long'
    | 'Too many'
    | 'Too few'
    | 'Internal error'
  /** Printed as JSON after the type, where the type shows a value. */
  readonly value?: unknown
  readonly detail?: string
  /** In the causes, where the type alone does not say it: `FieldValueTypeInvalid` reads as `Invalid value`. */
  readonly reason?: string
}

const reasons: Readonly<Record<FieldError['type'], string>> = {
  'Required value': 'FieldValueRequired',
  'Invalid value': 'FieldValueInvalid',
  'Unsupported value': 'FieldValueNotSupported',
  Forbidden: 'FieldValueForbidden',
  'Duplicate value': 'FieldValueDuplicate',
  'Not found': 'FieldValueNotFound',
  'Too long': 'FieldValueTooLong',
  'Too many': 'FieldValueTooMany',
  'Too few': 'FieldValueTooFew',
  'Internal error': 'InternalError',
}

const hidesValue = new Set<FieldError['type']>([
  'Required value',
  'Forbidden',
  'Internal error',
  'Too long',
])

/** Go's JSON of structs and maps is safe within HTML; its strings are only quoted. */
const show = (value: unknown): string =>
  typeof value === 'object'
    ? JSON.stringify(value).replaceAll(
        /[<>&]/g,
        (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`,
      )
    : JSON.stringify(value)

/** Without the field: `Invalid value: "x": must be ...`. */
export function textOf({ type, value, detail }: FieldError): string {
  const shown = hidesValue.has(type) || value === undefined ? '' : `: ${show(value)}`
  return `${type}${shown}${detail === undefined || detail === '' ? '' : `: ${detail}`}`
}

/** 422 with all complaints at once. */
export function invalid(
  of: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): Refusal {
  const texts = errors.map((error) => `${error.field}: ${textOf(error)}`)
  const unique = [...new Set(texts)]
  const said = unique.length === 1 ? unique[0] : `[${unique.join(', ')}]`
  const kind = of.group === '' ? of.kind : `${of.kind}.${of.group}`
  return new Refusal({
    code: 422,
    reason: 'Invalid',
    message: `${kind} "${name}" is invalid: ${said}`,
    details: {
      name,
      ...(of.group !== '' && { group: of.group }),
      kind: of.kind,
      causes: errors.map((error) => ({
        reason: error.reason ?? reasons[error.type],
        message: textOf(error),
        field: error.field,
      })),
    },
  })
}
