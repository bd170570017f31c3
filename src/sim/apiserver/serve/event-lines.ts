/** Events of a watch as bytes: each is printed once for all watchers that want it in one form. */
import type { ApiObject, JsonObject } from '../object.ts'
import { apiVersionOf, type ResourceType } from '../resource-type.ts'
import { type Included, tableOf } from '../table/table.ts'
import type { Form } from './accept.ts'
import { printObject, printPartial } from './print.ts'

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED'

export type LineForm = {
  readonly type: ResourceType
  readonly form: Form
  readonly included: Included
  /** Only the first event of a table has its columns. */
  readonly withColumns: boolean
}

const encoder = new TextEncoder()
/** Of the latest object alone: a change goes to all watchers before the next one does. */
let latest: ApiObject | undefined
const lines = new Map<string, Uint8Array>()

export function eventLine(
  event: EventType,
  object: ApiObject,
  at: LineForm & { /** Milliseconds since 1970. */ readonly now: number },
): Uint8Array {
  if (object !== latest) {
    lines.clear()
    latest = object
  }
  const key = `${event} ${at.form} ${at.type.version} ${at.included} ${at.withColumns}`
  const known = lines.get(key)
  if (known !== undefined) return known
  const line = lineOf(event, print(object, at))
  lines.set(key, line)
  return line
}

const lineOf = (event: string, object: string): Uint8Array =>
  encoder.encode(`{"type":"${event}","object":${object}}\n`)

function print(object: ApiObject, at: LineForm & { readonly now: number }): string {
  if (at.form === 'json') return printObject(at.type, object)
  if (at.form === 'metadata') return printPartial(object)
  const { resourceVersion } = object.metadata
  return JSON.stringify(tableOf(at.type, [object], { ...at, metadata: { resourceVersion } }))
}

export const errorLine = (status: JsonObject): Uint8Array => lineOf('ERROR', JSON.stringify(status))

/** Tells only how far the watch has come; `ends` marks the end of the initial events. */
export function bookmarkLine(
  { type, form }: LineForm,
  { version, ends }: { readonly version: number; readonly ends: boolean },
): Uint8Array {
  const metadata = {
    resourceVersion: String(version),
    ...(ends && { annotations: { 'k8s.io/initial-events-end': 'true' } }),
  }
  const own =
    form === 'json'
      ? { kind: type.kind, apiVersion: apiVersionOf(type) }
      : {
          kind: form === 'table' ? 'Table' : 'PartialObjectMetadata',
          apiVersion: 'meta.k8s.io/v1',
        }
  const rest = form === 'table' ? { columnDefinitions: null, rows: [] } : {}
  return lineOf('BOOKMARK', JSON.stringify({ ...own, metadata, ...rest }))
}
