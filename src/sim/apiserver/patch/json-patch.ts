/** RFC 6902, with the liberties of the real server: `replace` may add a field, `-1` is the last item. */
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

export function jsonPatch(object: JsonObject, operations: unknown): JsonObject {
  const patched = readOperations(operations).reduce<Json>(perform, object)
  if (!isJsonObject(patched)) throw unprocessable()
  return patched
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

function perform(document: Json, { op, path, from, value }: Operation): Json {
  switch (op) {
    case 'add':
      return put(document, stepsOf(path), { value: value ?? null, insert: true })
    case 'replace':
      if (path === '') return value ?? null
      return put(document, stepsOf(path), { value: value ?? null, insert: false })
    case 'remove':
      return remove(document, stepsOf(path))
    case 'move': {
      const moved = find(document, stepsOf(from))
      if (moved === undefined) throw unprocessable()
      return put(remove(document, stepsOf(from)), stepsOf(path), { value: moved, insert: true })
    }
    case 'copy':
      return put(document, stepsOf(path), {
        value: find(document, stepsOf(from)) ?? null,
        insert: true,
      })
    case 'test': {
      const found = path === '' ? document : find(document, stepsOf(path))
      if (!jsonEqual(found ?? null, value ?? null)) throw unprocessable()
      return document
    }
    case undefined:
    default:
      throw unprocessable()
  }
}

function stepsOf(pointer: string | undefined): readonly string[] {
  const [, ...steps] = pointer?.split('/') ?? []
  if (steps.length === 0) throw unprocessable()
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Undefined for a field that is not there; what leads to it must be. */
function find(document: Json | undefined, steps: readonly string[]): Json | undefined {
  const [step, ...rest] = steps
  if (step === undefined) return document
  return find(childOf(document, step), rest)
}

function childOf(value: Json | undefined, step: string): Json | undefined {
  if (isList(value)) return value[indexOf(step, value.length)]
  if (isJsonObject(value)) return value[step]
  throw unprocessable()
}

function indexOf(step: string, length: number): number {
  if (!/^[+-]?\d+$/.test(step)) throw unprocessable()
  const index = Number(step) < 0 ? Number(step) + length : Number(step)
  if (index < 0 || index >= length) throw unprocessable()
  return index
}

/** The document with what `change` makes of the container that the path leads into. */
function changeAt(
  document: Json | undefined,
  steps: readonly string[],
  change: (container: Json | undefined, step: string) => Json,
): Json {
  const [step, ...rest] = steps
  if (step === undefined) throw unprocessable()
  if (rest.length === 0) return change(document, step)
  const child = changeAt(childOf(document, step), rest, change)
  if (isList(document)) return document.with(indexOf(step, document.length), child)
  return { ...(document as JsonObject), [step]: child }
}

const put = (
  document: Json,
  steps: readonly string[],
  { value, insert }: { readonly value: Json; readonly insert: boolean },
): Json =>
  changeAt(document, steps, (container, step) => {
    if (isJsonObject(container)) return { ...container, [step]: value }
    if (!isList(container)) throw unprocessable()
    const items = container
    if (!insert) return items.with(indexOf(step, items.length), value)
    return items.toSpliced(step === '-' ? items.length : indexOf(step, items.length + 1), 0, value)
  })

const remove = (document: Json, steps: readonly string[]): Json =>
  changeAt(document, steps, (container, step) => {
    if (isList(container)) return container.toSpliced(indexOf(step, container.length), 1)
    if (!isJsonObject(container) || container[step] === undefined) throw unprocessable()
    const { [step]: _, ...left } = container
    return left
  })
