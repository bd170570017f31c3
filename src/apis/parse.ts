/**
 * Turns what a person wrote into a typed value, or refuses it with every fault in words: where, what
 * was expected, what came, and the nearest known key for an unknown one. A schema's own message says
 * what is expected: `v.string('a name')` gives `bid 2: expected id to be a name, got 7`.
 */
import * as v from 'valibot'

import { InvalidInput } from '../core/errors.ts'
import { nearest } from '../core/nearest.ts'

export function parseAs<const S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  name: string,
): v.InferOutput<S> {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  const faults = new Set(result.issues.map((issue) => describe(issue, schema, name)))
  throw new InvalidInput([...faults].join('\n'))
}

type Issue = v.BaseIssue<unknown>
type Path = readonly v.IssuePathItem[]

function describe(issue: Issue, schema: v.GenericSchema, name: string): string {
  const path: Path = issue.path ?? []
  const field = path.at(-1)
  const got = gotOf(issue)
  if (field === undefined) return `${name}: expected ${issue.message}, got ${got}`
  const place = placeOf(path.slice(0, -1), name)
  const key = String(field.key)
  if (/^(strict_)?object$/.test(issue.type) && field.type === 'object' && field.origin === 'key') {
    if (Array.isArray(field.input)) return `${place}: expected ${issue.message}, got a list`
    if (issue.expected !== 'never') return `${place}: expected ${key}, got nothing`
    const known = keysOf(schema, path.slice(0, -1))
    const meant = nearest(key, known)
    const hint = meant === undefined ? `known are ${known.join(', ')}` : `did you mean "${meant}"?`
    return `${place}: unknown key "${key}"; ${hint}`
  }
  if (typeof field.key === 'number') {
    return `${element(singular(place, path), field)}: expected ${issue.message}, got ${got}`
  }
  if (issue.kind === 'transformation') return `${place}: ${key}: ${issue.message}`
  return `${place}: expected ${key} to be ${issue.message}, got ${got}`
}

function gotOf({ received, input }: Issue): string {
  if (Array.isArray(input)) return 'a list'
  return received === 'Object' ? 'an object' : received
}

/** The path as a person would say it: an element of a list by its id, where it has one. */
function placeOf(path: Path, name: string): string {
  let place = name
  for (const [i, item] of path.entries()) {
    if (typeof item.key !== 'number') continue
    place = element(singular(place, path.slice(0, i + 1)), item)
  }
  const last = path.at(-1)
  return last === undefined || typeof last.key === 'number'
    ? place
    : `${place}: ${String(last.key)}`
}

/** An element of `bids` is a bid. */
const singular = (place: string, path: Path): string => {
  const list = path.at(-2)?.key
  return typeof list === 'string' ? list.replace(/s$/, '') : place
}

function element(word: string, { key, value }: v.IssuePathItem): string {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined
  return typeof id === 'string' && id !== '' ? `${word} "${id}"` : `${word} ${Number(key) + 1}`
}

type Inner = { entries?: Record<string, Inner>; item?: Inner; wrapped?: Inner; pipe?: Inner[] }

function keysOf(schema: v.GenericSchema, path: Path): string[] {
  let at = schema as Inner
  for (const { key } of path) {
    const next = typeof key === 'number' ? unwrap(at).item : unwrap(at).entries?.[String(key)]
    if (next === undefined) return []
    at = next
  }
  return Object.keys(unwrap(at).entries ?? {})
}

const unwrap = (schema: Inner): Inner =>
  schema.wrapped !== undefined ? unwrap(schema.wrapped) : (schema.pipe?.[0] ?? schema)
