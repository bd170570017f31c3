/** The answer to an apply that would change what others own. */
import { Refusal } from '../refusal.ts'
import { type FieldSet, membersOf } from './field-set.ts'
import { identityOf, type Writer } from './managers.ts'
import { printPath } from './path-element.ts'

export type Conflict = { readonly writer: Writer; readonly fields: FieldSet }

export function conflictsRefusal(conflicts: readonly Conflict[]): Refusal {
  const groups = conflicts
    .toSorted((a, b) => (identityOf(a.writer) < identityOf(b.writer) ? -1 : 1))
    .map(({ writer, fields }) => ({
      name: print(writer),
      paths: [...membersOf(fields)].map(printPath),
    }))
  const causes = groups.flatMap(({ name, paths }) =>
    paths.map((field) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${name}`,
      field,
    })),
  )
  const [only] = causes
  const listed = groups.flatMap(({ name, paths }) =>
    [`conflicts with ${name}:`].concat(paths.map((path) => `- ${path}`)),
  )
  const message =
    causes.length === 1 && only
      ? `Apply failed with 1 conflict: ${only.message}: ${only.field}`
      : `Apply failed with ${causes.length} conflicts: ${listed.join('\n')}`
  return new Refusal({ code: 409, reason: 'Conflict', message, details: { causes } })
}

function print({ manager, operation, apiVersion, subresource = '' }: Writer): string {
  const through = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`
  const using = operation === 'Update' ? ` using ${apiVersion}` : ''
  return `${JSON.stringify(manager)}${through}${using}`
}
