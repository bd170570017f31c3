/** RFC 6902, with the liberties of the real server: `replace` may add a field, `-1` is the last item. */
import { memberOf, setMember } from '../members.ts'
import { isJsonObject, type Json, type JsonObject } from '../object.ts'
import { badRequest, Refusal } from '../refusal.ts'
import { jsonTypeName } from './go-text.ts'
import { jsonEqual } from './json-equal.ts'
import { isList } from './typed.ts'

type Operation = {
  readonly op?: string
  readonly path?: string
  readonly from?: string
  readonly value?: Json
}

/** One request cannot keep the server busy for long. */
const maxOperations = 10_000
/** Of all that one patch copies, as JSON: copies of copies would double it each time. */
const maxCopiedBytes = 3 * 1024 * 1024

/** What the operations so far have made. */
type Patching = {
  document: Json
  /** Lists and objects that this patch has made, and may change: what is stored never changes. */
  readonly mine: WeakSet<object>
  copiedBytes: number
}

export function jsonPatch(object: JsonObject, operations: unknown): JsonObject {
  const patching: Patching = { document: object, mine: new WeakSet(), copiedBytes: 0 }
  for (const operation of readOperations(operations)) perform(patching, operation)
  const { document } = patching
  if (!isJsonObject(document)) throw unprocessable()
  return document
}

/** Whatever cannot be done has this one text. */
export const unprocessable = (): Refusal =>
  new Refusal({
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
    details: {},
  })

function readOperations(operations: unknown): readonly Operation[] {
  if (!isList(operations)) throw undecodable(operations, 'value of type []handlers.jsonPatchOp')
  if (operations.length > maxOperations) {
    throw new Refusal({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: `Request entity too large: The allowed maximum operations in a JSON patch is ${maxOperations}, got ${operations.length}`,
    })
  }
  return operations.map(readOperation)
}

function readOperation(operation: unknown): Operation {
  if (!isJsonObject(operation)) throw undecodable(operation, 'value of type handlers.jsonPatchOp')
  for (const field of ['op', 'path', 'from']) {
    const value = operation[field]
    if (value !== undefined && value !== null && typeof value !== 'string') {
      throw undecodable(value, `struct field jsonPatchOp.${field} of type string`)
    }
  }
  return operation
}

const undecodable = (value: unknown, wanted: string): Refusal =>
  badRequest(
    `error decoding patch: json: cannot unmarshal ${jsonTypeName(value)} into Go ${wanted}`,
  )

function perform(patching: Patching, { op, path, from, value = null }: Operation): void {
  switch (op) {
    case 'add':
      return put(patching, path, { value, insert: true })
    case 'replace':
      if (path === '') patching.document = value
      else put(patching, path, { value, insert: false })
      return
    case 'remove':
      return remove(patching, path)
    case 'move': {
      const moved = find(patching, from)
      if (moved === undefined) throw unprocessable()
      remove(patching, from)
      return put(patching, path, { value: moved, insert: true })
    }
    case 'copy':
      return put(patching, path, { value: copyOf(patching, from), insert: true })
    case 'test': {
      const found = path === '' ? patching.document : find(patching, path)
      if (!jsonEqual(found ?? null, value)) throw unprocessable()
      return
    }
    case undefined:
    default:
      throw unprocessable()
  }
}

function copyOf(patching: Patching, from: string | undefined): Json {
  const text = JSON.stringify(find(patching, from) ?? null)
  patching.copiedBytes += Buffer.byteLength(text)
  if (patching.copiedBytes > maxCopiedBytes) throw unprocessable()
  return JSON.parse(text) as Json
}

function stepsOf(pointer: string | undefined): readonly string[] {
  const [, ...steps] = pointer?.split('/') ?? []
  if (steps.length === 0) throw unprocessable()
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Undefined for a field that is not there; what leads to it must be. */
const find = ({ document }: Patching, pointer: string | undefined): Json | undefined =>
  stepsOf(pointer).reduce<Json | undefined>(childOf, document)

function childOf(value: Json | undefined, step: string): Json | undefined {
  if (isList(value)) return value[indexOf(step, value.length)]
  if (isJsonObject(value)) return memberOf(value, step)
  throw unprocessable()
}

function indexOf(step: string, length: number): number {
  if (!/^[+-]?\d+$/.test(step)) throw unprocessable()
  const index = Number(step) < 0 ? Number(step) + length : Number(step)
  if (index < 0 || index >= length) throw unprocessable()
  return index
}

type List = Json[]
type Fields = { [field: string]: Json | undefined }

/** What the pointer leads into, as a list or object of this patch's own, and the last step. */
function enter(
  patching: Patching,
  pointer: string | undefined,
): { readonly container: List | Fields; readonly step: string } {
  const steps = [...stepsOf(pointer)]
  const step = steps.pop() ?? ''
  let container = own(patching, patching.document)
  patching.document = container as Json
  for (const way of steps) {
    const child = own(patching, childOf(container, way))
    if (Array.isArray(container)) container[indexOf(way, container.length)] = child as Json
    else setMember(container, way, child as Json)
    container = child
  }
  return { container, step }
}

/** Copied once, however many operations change it. */
function own({ mine }: Patching, value: Json | undefined): List | Fields {
  if (!isList(value) && !isJsonObject(value)) throw unprocessable()
  if (mine.has(value)) return value as List | Fields
  const copy = isList(value) ? [...value] : { ...value }
  mine.add(copy)
  return copy
}

function put(
  patching: Patching,
  pointer: string | undefined,
  { value, insert }: { readonly value: Json; readonly insert: boolean },
): void {
  const { container, step } = enter(patching, pointer)
  if (!Array.isArray(container)) setMember(container, step, value)
  else if (insert) {
    const { length } = container
    container.splice(step === '-' ? length : indexOf(step, length + 1), 0, value)
  } else container[indexOf(step, container.length)] = value
}

function remove(patching: Patching, pointer: string | undefined): void {
  const { container, step } = enter(patching, pointer)
  if (Array.isArray(container)) container.splice(indexOf(step, container.length), 1)
  else {
    if (memberOf(container, step) === undefined) throw unprocessable()
    delete container[step]
  }
}
