/**
 * Turns what a person wrote into a typed value, or refuses it with every fault in words: where, what
 * was expected, what came, and the nearest known key for an unknown one. A schema's own message says
 * what is expected: `v.string('a name')` gives `market.yaml: bid 2: expected id to be a name, got 7`.
 */
import * as v from 'valibot'

import { InvalidInput } from '../core/errors.ts'
import { nearest } from '../core/nearest.ts'
import { cut, visible } from '../core/visible.ts'

/** Of so large a document the first fault will do: a fault takes more memory than what is at fault. */
const LARGE = 10_000
const MOST_FAULTS = 20
/** Of a value that is repeated, of a name, and of a fault: what came may be megabytes. */
const [LONGEST_VALUE, LONGEST_NAME, LONGEST_FAULT] = [120, 60, 1000]

export function parseAs<const S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  name: string,
): v.InferOutput<S> {
  const result = v.safeParse(schema, value, { abortEarly: isLarge(value) })
  if (result.success) return result.output
  const faults = new Set(result.issues.map((issue) => describe(issue, schema, name)))
  const shown = [...faults].slice(0, MOST_FAULTS)
  const more = faults.size - shown.length
  throw new InvalidInput(
    [...shown, ...(more > 0 ? [`${name}: ${more} more faults`] : [])].join('\n'),
  )
}

function isLarge(document: unknown): boolean {
  const left: unknown[] = [document]
  for (let seen = 0; left.length > 0; seen++) {
    if (seen + left.length > LARGE) return true
    const value = left.pop()
    if (typeof value !== 'object' || value === null) continue
    const inner: unknown[] = Array.isArray(value) ? value : Object.values(value)
    if (inner.length > LARGE) return true
    left.push(...inner)
  }
  return false
}

type Issue = v.BaseIssue<unknown>
type Path = readonly v.IssuePathItem[]

const describe = (issue: Issue, schema: v.GenericSchema, name: string): string =>
  cut(visible(words(issue, schema, name)), LONGEST_FAULT)

function words(issue: Issue, schema: v.GenericSchema, name: string): string {
  const path: Path = issue.path ?? []
  const field = path.at(-1)
  const got = gotOf(issue)
  if (field === undefined) return `${name}: expected ${issue.message}, got ${got}`
  const place = placeOf(path.slice(0, -1), name)
  const key = cut(String(field.key), LONGEST_NAME)
  if (/^(strict_)?object$/.test(issue.type) && field.type === 'object' && field.origin === 'key') {
    if (Array.isArray(field.input)) {
      return `${place}: expected ${issue.message}, got ${listOf(field.input)}`
    }
    if (issue.expected !== 'never') return `${place}: expected ${key}, got nothing`
    const known = keysOf(schema, path.slice(0, -1))
    const meant = nearest(key, known)
    const hint = meant === undefined ? `known are ${known.join(', ')}` : `did you mean "${meant}"?`
    return `${place}: unknown key "${key}"; ${hint}`
  }
  if (typeof field.key === 'number') {
    return `${placeOf(path, name)}: expected ${issue.message}, got ${got}`
  }
  if (issue.kind === 'transformation') return `${place}: ${key}: ${issue.message}`
  return `${place}: expected ${key} to be ${issue.message}, got ${got}`
}

const listOf = ({ length }: readonly unknown[]): string =>
  length === 0 ? 'an empty list' : 'a list'

function gotOf({ received, input }: Issue): string {
  if (Array.isArray(input)) return listOf(input)
  return received === 'Object' ? 'an object' : cut(received, LONGEST_VALUE)
}

/**
 * The document and the path in it, as a person would say it: an element of `bids` is a bid, and is named
 * by its id where it has one.
 *
 *   bids, 1, floor              market.yaml: bid 2: floor
 *   spec, resources, requests   pod.yaml: spec.resources.requests
 */
function placeOf(path: Path, name: string): string {
  let place = name
  let between = ': '
  for (const [i, item] of path.entries()) {
    const next = path[i + 1]
    if (typeof item.key === 'number') {
      place += `: ${element(singular(path[i - 1]), item)}`
      between = ': '
    } else if (typeof next?.key !== 'number') {
      place += `${between}${cut(String(item.key), LONGEST_NAME)}`
      between = '.'
    }
  }
  return place
}

const singular = (list: v.IssuePathItem | undefined): string =>
  typeof list?.key === 'string' ? cut(list.key, LONGEST_NAME).replace(/s$/, '') : 'item'

function element(word: string, { key, value }: v.IssuePathItem): string {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined
  return typeof id === 'string' && id !== ''
    ? `${word} "${cut(id, LONGEST_NAME)}"`
    : `${word} ${Number(key) + 1}`
}

type Inner = { entries?: Record<string, Inner>; item?: Inner; wrapped?: Inner; pipe?: Inner[] }

function keysOf(schema: v.GenericSchema, path: Path): string[] {
  let at = schema as Inner
  for (const { key } of path) {
    const next = typeof key === 'number' ? unwrap(at).item : ownOf(unwrap(at).entries, String(key))
    if (next === undefined) return []
    at = next
  }
  return Object.keys(unwrap(at).entries ?? {})
}

const ownOf = (entries: Inner['entries'], key: string): Inner | undefined =>
  entries !== undefined && Object.hasOwn(entries, key) ? entries[key] : undefined

const unwrap = (schema: Inner): Inner =>
  schema.wrapped !== undefined ? unwrap(schema.wrapped) : (schema.pipe?.[0] ?? schema)
