/** Field selectors as text: `metadata.name=a,status.phase!=Running`; a kind has few such fields. */
import type { ApiObject } from '../object.ts'
import { badRequest } from '../refusal.ts'
import type { ResourceType } from '../resource-type.ts'

type FieldTest = (object: ApiObject) => boolean

/** Undefined for an empty selector, which all objects match. */
export function parseFieldSelector(text: string, type: ResourceType): FieldTest | undefined {
  // A backslash takes the meaning from a comma, an equals sign or a backslash.
  const terms = text.match(/(?:[^\\,]|\\.?)+/gs) ?? []
  const tests = terms.map((term) => readTerm(term, { text, type }))
  if (tests.length === 0) return undefined
  return (object) => tests.every((matches) => matches(object))
}

function readTerm(
  term: string,
  { text, type }: { readonly text: string; readonly type: ResourceType },
): FieldTest {
  const [, field, operator, written = ''] = /^((?:[^\\=!]|\\.)*?)(!=|==|=)(.*)$/s.exec(term) ?? []
  if (field === undefined) {
    throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`)
  }
  const value = unescape(written)
  const read = readerOf(field, type)
  return operator === '!=' ? (object) => read(object) !== value : (object) => read(object) === value
}

function unescape(written: string): string {
  const [wrong] = /\\(?![\\,=])./.exec(written) ?? []
  if (wrong !== undefined) {
    throw badRequest(`invalid field selector: invalid escape sequence: ${wrong}`)
  }
  return written.replaceAll(/\\([\\,=])/g, '$1')
}

function readerOf(field: string, type: ResourceType): (object: ApiObject) => string {
  if (field === 'metadata.name') return ({ metadata }) => metadata.name
  if (field === 'metadata.namespace' && type.namespaced) {
    return ({ metadata }) => metadata.namespace ?? ''
  }
  const read = Object.hasOwn(type.selectableFields, field)
    ? type.selectableFields[field]
    : undefined
  if (read !== undefined) return read
  // Kinds with fields of their own, and custom ones, have a shorter way to say it.
  const own = Object.keys(type.selectableFields).length > 0 || type.writtenSchema !== undefined
  throw badRequest(
    own
      ? `field label not supported: ${field}`
      : `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`,
  )
}
