/** Complaints and forms of text that only pods know, in the real server's words. */
import type { FieldError } from '../../refusal.ts'
import { all, required, unsupported, wrong } from '../validate/field-errors.ts'
import { ruleText } from '../validate/names.ts'

/** What is wrong with a text, if anything. */
type Form = (text: string) => readonly string[]

/** Says when it is missing, too. */
export const named = (field: string, text: string | undefined, form: Form): FieldError[] =>
  text === undefined || text === '' ? [required(field)] : all(field, text, form(text))

/** Says nothing of what is absent. */
export const formed = (field: string, text: string | undefined, form: Form): FieldError[] =>
  text === undefined || text === '' ? [] : all(field, text, form(text))

export const notFound = (field: string, value: unknown): FieldError => ({
  field,
  type: 'Not found',
  value,
})

/** Says nothing of what is absent. */
export const oneOf = (
  field: string,
  value: string | undefined,
  supported: readonly string[],
): FieldError[] =>
  value === undefined || supported.includes(value) ? [] : [unsupported(field, value, supported)]

type Range = { readonly from: number; readonly to: number }

/** Says nothing of what is absent. */
export const within = (
  field: string,
  value: number | undefined,
  { from, to }: Range,
): FieldError[] =>
  value === undefined || (value >= from && value <= to)
    ? []
    : [wrong(field, value, `must be between ${from} and ${to}, inclusive`)]

export const portNumbers: Range = { from: 1, to: 65_535 }
export const largestInt32 = 2 ** 31 - 1

export const portName: Form = (text) => [
  ...(text.length > 15 ? ['must be no more than 15 characters'] : []),
  ...(/^[-a-z0-9]+$/.test(text)
    ? []
    : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
  ...(/[a-z]/.test(text) ? [] : ['must contain at least one letter (a-z)']),
  ...(text.includes('--') ? ['must not contain consecutive hyphens'] : []),
  ...(text.startsWith('-') || text.endsWith('-') ? ['must not begin or end with a hyphen'] : []),
]

export const envName: Form = (text) =>
  /^[ -<>-~]*$/.test(text)
    ? []
    : [
        "a valid environment variable name must consist only of printable ASCII characters other than '='",
      ]

const header = '[-A-Za-z0-9]+'
export const headerName: Form = (text) =>
  /^[-A-Za-z0-9]+$/.test(text)
    ? []
    : [
        ruleText("a valid HTTP header must consist of alphanumeric characters or '-'", {
          examples: ['X-Header-Name'],
          pattern: header,
        }),
      ]
