/** The parameters of requests, checked as the real server does. */
import { unsupported } from '../kinds/validate/field-errors.ts'
import { badRequest, type FieldError, invalid } from '../refusal.ts'

export type WriteQuery = {
  readonly dryRun: boolean
  readonly manager: string
  readonly validation: 'Ignore' | 'Warn' | 'Strict'
  readonly force: boolean
}

type OptionsKind =
  | 'CreateOptions'
  | 'UpdateOptions'
  | 'PatchOptions'
  | 'DeleteOptions'
  | 'ListOptions'

export function refuseOptions(kind: OptionsKind, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors)
}

const mostManagerBytes = 128

export function readWriteQuery(
  query: URLSearchParams,
  { kind, userAgent }: { readonly kind: OptionsKind; readonly userAgent: string | undefined },
): WriteQuery {
  const validation = query.get('fieldValidation') ?? ''
  const given = query.get('fieldManager') ?? ''
  const dryRun = query.getAll('dryRun').filter((value) => value !== '')
  refuseOptions(kind, [
    ...(Buffer.byteLength(given) > mostManagerBytes
      ? [
          {
            field: 'fieldManager',
            type: 'Too long',
            detail: `may not be more than ${mostManagerBytes} bytes`,
          } as const,
        ]
      : []),
    ...checkDryRun(dryRun),
    ...(isValidation(validation)
      ? []
      : [unsupported('fieldValidation', validation, ['', 'Ignore', 'Strict', 'Warn'])]),
  ])
  return {
    dryRun: dryRun.length > 0,
    manager: given === '' ? managerOf(userAgent) : given,
    validation: validation === 'Ignore' || validation === 'Strict' ? validation : 'Warn',
    force: query.get('force') === 'true',
  }
}

const isValidation = (text: string): boolean => ['', 'Ignore', 'Warn', 'Strict'].includes(text)

export const checkDryRun = (values: readonly string[]): FieldError[] =>
  values.every((value) => value === 'All') ? [] : [unsupported('dryRun', values, ['All'])]

/** `kubectl/v1.36.3 (linux/amd64)` is kubectl. */
const managerOf = (userAgent = 'unknown'): string =>
  (userAgent.split('/', 1)[0] ?? '').slice(0, mostManagerBytes)

/** Undefined if it is not given. */
export function readCount(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  if (/^[+-]?\d+$/.test(text)) return Number(text)
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`)
}

/** As Go reads a boolean; what is no boolean counts as true, `?watch` too. */
export function readFlag(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  return !['0', 'f', 'false', 'F', 'FALSE', 'False'].includes(text)
}
