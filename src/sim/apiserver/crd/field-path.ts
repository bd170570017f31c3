/** Paths into a schema: `.spec.names` and `.spec.labels['a']`, checked against it. */
import { memberOf } from '../members.ts'
import { child, keyed, type Schema, valuesOf } from './schema.ts'

type Normalized = {
  /** As errors name the field: `spec.labels[a]`. */
  readonly path?: string
  readonly schema?: Schema
  /** Why it is no path of this schema. */
  readonly fault?: string
}

const token = /\.([^.[\]]*)|\['((?:[^'\\]|\\.)*)'\]/gy
const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

export function normalizePath(
  schema: Schema,
  text: string,
  { allowsArrays = true }: { readonly allowsArrays?: boolean } = {},
): Normalized {
  let path = ''
  let at: Schema | undefined = schema
  let end = 0
  for (const [whole, name, quoted] of text.matchAll(token)) {
    if (quoted !== undefined && !allowsArrays) return { fault: 'array notation is not allowed' }
    const key = name ?? (quoted ?? '').replace(/\\(.)/gs, (_, one: string) => escapes[one] ?? one)
    end += whole.length
    if (name === '') return { fault: 'unexpected end of JSON path' }
    const values = valuesOf(at)
    const next: Schema | undefined = at.properties ? memberOf(at.properties, key) : values
    if (!next) return { fault: 'does not refer to a valid field' }
    path = at.properties ? child(path, key) : keyed(path, key)
    at = next
  }
  if (end < text.length) {
    const rest = text.slice(end)
    if (rest.startsWith('[') && !allowsArrays) return { fault: 'array notation is not allowed' }
    const [next = ''] = /^[^.[\]]+|^./.exec(rest) ?? []
    return { fault: `expected [ or . but got: ${next}` }
  }
  return { path, schema: at }
}
