/** The steps of a path in `fieldsV1`: `f:name`, `k:{"name":"x"}`, `v:"x"`, `i:0`. */
import { memberOf } from '../members.ts'
import { isJsonObject, type Json, type JsonObject } from '../object.ts'
import type { ListShape } from '../shape.ts'

export const fieldElement = (name: string): string => `f:${name}`

const namedElements = new Map<string, string>()

/** Of a field that a shape names: there are few, and a text made once is found faster as a key. */
export function namedElement(name: string): string {
  const known = namedElements.get(name)
  if (known !== undefined) return known
  const element = fieldElement(name)
  namedElements.set(name, element)
  return element
}

/** Go writes these three as escapes in JSON. */
const escapes: Readonly<Record<string, string>> = {
  '<': String.raw`\u003c`,
  '>': String.raw`\u003e`,
  '&': String.raw`\u0026`,
}
function goJson(value: Json): string {
  const text = JSON.stringify(value)
  return /[<>&]/.test(text) ? text.replaceAll(/[<>&]/g, (sign) => escapes[sign] ?? sign) : text
}

/** The value of a key field: an item that leaves it out has the default, or Go's zero. */
export function keyOfItem(item: JsonObject, list: ListShape, key: string): Json | undefined {
  const value = memberOf(item, key)
  if (value !== undefined || list.items.type !== 'object') return value
  const field = list.items.fields.get(key)
  if (field?.default !== undefined) return field.default
  if (list.items.typeName === undefined || field?.required !== true) return undefined
  return field.shape.type === 'string' ? '' : 0
}

/** What identifies an item of a list that is a set or a map; a string beginning with `?` says why nothing does. */
export function itemElement(item: Json, list: ListShape): string {
  if (list.merge === 'set') return setElement(item)
  if (item === null) return '?associative list with keys may not have a null element'
  if (!isJsonObject(item)) return '?associative list with keys may not have non-map elements'
  const keys = list.keys ?? []
  let pairs = ''
  for (const key of keys.length < 2 ? keys : keys.toSorted()) {
    const value = keyOfItem(item, list, key)
    if (value !== undefined) pairs += `${pairs === '' ? '' : ','}"${key}":${goJson(value)}`
  }
  if (pairs !== '') return `k:{${pairs}}`
  const listed = keys.map((key) => JSON.stringify(key)).join(' ')
  return `?associative list with keys has an element that omits all key fields [${listed}] (and doesn't have default values for any key fields)`
}

function setElement(item: Json): string {
  if (item === null) return "?associative list without keys has an element that's an explicit null"
  if (Array.isArray(item)) return '?not supported: associative list with lists as elements'
  if (isJsonObject(item)) return "?associative list without keys has an element that's a map type"
  return `v:${goJson(item)}`
}

const kinds = 'fkvi'

/** The server's order: fields by name, then keys, values and indices by what they hold. */
export function compareElements(a: string, b: string): number {
  if (a.startsWith('f:') && b.startsWith('f:')) return a < b ? -1 : Number(a > b)
  const byKind = kinds.indexOf(a.charAt(0)) - kinds.indexOf(b.charAt(0))
  return byKind === 0 ? compareValues(parse(a), parse(b)) : byKind
}

const parse = (element: string): Json => JSON.parse(element.slice(2)) as Json

const ranks = ['number', 'string', 'boolean', 'object']

function compareValues(a: Json, b: Json): number {
  if (isJsonObject(a) && isJsonObject(b)) return comparePairs(Object.entries(a), Object.entries(b))
  if (typeof a !== typeof b) return ranks.indexOf(typeof a) - ranks.indexOf(typeof b)
  if (a === b || a === null || b === null) return 0
  return a < b ? -1 : 1
}

type Pair = readonly [name: string, value: Json | undefined]

function comparePairs(a: readonly Pair[], b: readonly Pair[]): number {
  for (const [index, [name, value]] of a.entries()) {
    const [otherName, other] = b[index] ?? []
    if (otherName === undefined) return 1
    const order =
      name === otherName
        ? compareValues(value ?? null, other ?? null)
        : compareValues(name, otherName)
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** As errors print it: `.spec`, `[name="x"]`, `[="x"]`, `[0]`. */
export function printElement(element: string): string {
  const rest = element.slice(2)
  if (element.startsWith('f:')) return `.${rest}`
  if (element.startsWith('i:')) return `[${rest}]`
  if (element.startsWith('v:')) return `[=${rest}]`
  const pairs = Object.entries(parse(element) as JsonObject)
  return `[${pairs.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',')}]`
}

export const printPath = (elements: readonly string[]): string =>
  elements.map(printElement).join('')
