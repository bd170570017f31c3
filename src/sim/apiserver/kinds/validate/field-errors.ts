/** Complaints about fields in short, and those that many kinds have in common. */
import { isDeepStrictEqual } from 'node:util'

import type { FieldError } from '../../refusal.ts'

export const required = (field: string, detail = ''): FieldError => ({
  field,
  type: 'Required value',
  detail,
})

export const wrong = (field: string, value: unknown, detail: string): FieldError => ({
  field,
  type: 'Invalid value',
  value,
  detail,
})

/** `Invalid value`, but of a type mismatch: CEL rules are not run on such an object. */
export const typeInvalid = (field: string, value: unknown, detail: string): FieldError => ({
  ...wrong(field, value, detail),
  reason: 'FieldValueTypeInvalid',
})

export const forbiddenField = (field: string, detail: string): FieldError => ({
  field,
  type: 'Forbidden',
  detail,
})

export const duplicate = (field: string, value: unknown, detail = ''): FieldError => ({
  field,
  type: 'Duplicate value',
  value,
  detail,
})

/** The supported values are told in the order given: the real server sorts some and not others. */
export const unsupported = (
  field: string,
  value: unknown,
  supported: readonly string[],
): FieldError => ({
  field,
  type: 'Unsupported value',
  value,
  detail: `supported values: ${supported.map((one) => JSON.stringify(one)).join(', ')}`,
})

export const tooLong = (field: string, max: number): FieldError => ({
  field,
  type: 'Too long',
  detail: `may not be more than ${max} ${max === 1 ? 'byte' : 'bytes'}`,
})

export const tooMany = (field: string, actual: number, max: number): FieldError => ({
  field,
  type: 'Too many',
  value: actual,
  detail: `must have at most ${max} ${max === 1 ? 'item' : 'items'}`,
})

export const all = (field: string, value: unknown, details: readonly string[]): FieldError[] =>
  details.map((detail) => wrong(field, value, detail))

export const negative = (field: string, value: number | undefined): FieldError[] =>
  value !== undefined && value < 0
    ? [wrong(field, value, 'must be greater than or equal to 0')]
    : []

/** Absent and null are the same to it, as in Go. */
export const changed = (
  field: string,
  { next, old }: { readonly next: unknown; readonly old: unknown },
): FieldError[] =>
  isDeepStrictEqual(next ?? null, old ?? null)
    ? []
    : [wrong(field, next ?? null, 'field is immutable')]
