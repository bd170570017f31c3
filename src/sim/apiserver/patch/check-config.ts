/** Whether an applied configuration has the kind's shape; the messages are the real server's. */
import { isJsonObject, type Json, type JsonObject } from '../object.ts'
import { Refusal } from '../refusal.ts'
import type { ListShape, ScalarShape, Shape } from '../shape.ts'
import { goSyntax, goText, goType } from './go-text.ts'
import { fieldElement, itemElement, printElement } from './path-element.ts'
import { isList, shapeOfField } from './typed.ts'

type Complaint = { readonly path: string; readonly message: string }

export function checkConfig(config: JsonObject, shape: Shape): void {
  const complaints = complaintsOf(config, shape)
  if (complaints.length === 0) return
  const texts = complaints.map(({ path, message }) =>
    path === '' ? message : `${path}: ${message}`,
  )
  const said =
    texts.length === 1 ? texts[0] : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n')
  throw internal(`failed to create typed patch object (${identityOf(config)}): ${said}`)
}

/** 500 without a reason, as for every error that the real server did not foresee. */
export const internal = (message: string): Refusal =>
  new Refusal({ code: 500, reason: '', message })

/** `default/a; apps/v1, Kind=Deployment`. */
function identityOf({ apiVersion, kind, metadata }: JsonObject): string {
  const { name = '', namespace = '' } = isJsonObject(metadata) ? metadata : {}
  return `${goText(namespace)}/${goText(name)}; ${groupVersionKind(apiVersion, kind)}`
}

/** `/v1, Kind=ConfigMap`. */
export function groupVersionKind(apiVersion: Json | undefined, kind: Json | undefined): string {
  const version = typeof apiVersion === 'string' ? apiVersion : ''
  const slashed = version.includes('/') ? version : `/${version}`
  return `${slashed}, Kind=${typeof kind === 'string' ? kind : ''}`
}

function complaintsOf(value: Json, shape: Shape): readonly Complaint[] {
  if (value === null || shape.type === 'any') return []
  if (shape.type === 'object' || shape.type === 'map') {
    if (!isJsonObject(value)) return complain(`expected map, got &{${goText(value)}}`)
    return complaintsOfFields(value, shape)
  }
  if (shape.type === 'list') {
    if (!isList(value)) return complain(`expected list, got &{${goText(value)}}`)
    return complaintsOfItems(value, shape)
  }
  return complaintsOfScalar(value, shape)
}

const complain = (message: string): readonly Complaint[] => [{ path: '', message }]

const under = (element: string, found: readonly Complaint[]): readonly Complaint[] =>
  found.map(({ path, message }) => ({ path: printElement(element) + path, message }))

/** The first unknown field ends the look at its siblings. */
function complaintsOfFields(value: JsonObject, shape: Shape): readonly Complaint[] {
  const found: Complaint[] = []
  for (const name of Object.keys(value).toSorted()) {
    const below = shapeOfField(shape, name)
    if (below === undefined) {
      return [...found, ...under(fieldElement(name), complain('field not declared in schema'))]
    }
    found.push(...under(fieldElement(name), complaintsOf(value[name] ?? null, below)))
  }
  return found
}

function complaintsOfItems(items: readonly Json[], list: ListShape): readonly Complaint[] {
  const found: Complaint[] = []
  const seen = new Set<string>()
  for (const [index, item] of items.entries()) {
    const element = list.merge === 'atomic' ? `i:${index}` : itemElement(item, list)
    if (element.startsWith('?'))
      return [...found, ...complain(`element ${index}: ${element.slice(1)}`)]
    if (seen.has(element))
      found.push(...complain(`duplicate entries for key ${printElement(element)}`))
    seen.add(element)
    found.push(...under(element, complaintsOf(item, list.items)))
  }
  return found
}

/** Times, quantities and the like are of no type for the real server here: anything will do. */
function complaintsOfScalar(value: Json, { type, format }: ScalarShape): readonly Complaint[] {
  if (type === 'boolean') {
    return typeof value === 'boolean' ? [] : complain(`expected boolean, got &{${goText(value)}}`)
  }
  if (type === 'integer' || type === 'number') {
    if (typeof value === 'number') return []
    return complain(`expected numeric (int or float), got ${goType(value)}`)
  }
  const isText = type === 'string' && (format === undefined || format === 'byte')
  if (!isText || typeof value === 'string') return []
  return complain(`expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`)
}
