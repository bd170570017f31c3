/** Reads the recorded sequences and does the same writes with our functions. */
import type {
  ApiObject,
  Json,
  JsonObject,
  ManagedFields,
} from '../../../src/sim/apiserver/object.ts'
import { applyConfiguration } from '../../../src/sim/apiserver/patch/apply.ts'
import type { FieldSet } from '../../../src/sim/apiserver/patch/field-set.ts'
import { jsonPatch } from '../../../src/sim/apiserver/patch/json-patch.ts'
import { updateManagedFields } from '../../../src/sim/apiserver/patch/managed-fields.ts'
import { mergePatch } from '../../../src/sim/apiserver/patch/merge-patch.ts'
import { strategicMerge } from '../../../src/sim/apiserver/patch/strategic-merge.ts'
import { Refusal } from '../../../src/sim/apiserver/refusal.ts'
import { apiVersions, asStored, decode, type KindName, shapes } from './kinds.ts'

type Brief = 0 | { readonly [element: string]: Brief }
type State = JsonObject & {
  readonly metadata?: JsonObject
  /** By writer: seconds of the last change, and the fields. */
  readonly managed?: { readonly [writer: string]: { readonly t?: number; readonly f: Brief } }
  readonly order?: readonly string[]
}
type Step = {
  readonly how: 'others' | 'post' | 'put' | 'apply' | 'json' | 'merge' | 'strategic'
  readonly by: string
  readonly force?: boolean
  readonly sub?: 'status'
  readonly body: Json
  readonly object: JsonObject
  readonly refused?: JsonObject
}
export type Sequence = { readonly kind: KindName; readonly steps: readonly Step[] }

export function* replay({ kind, steps }: Sequence): Generator<{
  readonly step: Step
  readonly ours: unknown
  readonly theirs: unknown
}> {
  let before: State | undefined
  for (const step of steps) {
    const after: State = step.refused ? (before ?? {}) : overlay(before ?? {}, step.object)
    if (step.how !== 'others') {
      const ours = attempt(() => perform(kind, step, { before, now: lastTime(after) }))
      yield { step, ours, theirs: step.refused ?? objectOf(kind, after) }
    }
    before = after
  }
}

function attempt(write: () => ApiObject): unknown {
  try {
    return write()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, message, details } = error
    const causes = details?.causes?.toSorted((a, b) =>
      JSON.stringify(a) < JSON.stringify(b) ? -1 : 1,
    )
    return { code, message, ...(causes && { causes }) }
  }
}

function perform(
  kind: KindName,
  step: Step,
  { before, now }: { readonly before: State | undefined; readonly now: number },
): ApiObject {
  const old = before && objectOf(kind, before)
  const shape = shapes[kind]
  const { by: manager, sub: subresource, force = false } = step
  const at = { manager, apiVersion: apiVersions[kind], kind, shape, subresource, now }
  if (step.how === 'apply') {
    const config = objectOf(kind, step.body as State) as unknown as JsonObject
    const applied = applyConfiguration({ ...at, live: old, config, force })
    return asStored(decode(kind, applied), old, subresource)
  }
  const next = decode(kind, nextOf(kind, step, before))
  return asStored(updateManagedFields({ ...at, old, next }), old, subresource)
}

function nextOf(kind: KindName, { how, body }: Step, before: State | undefined): ApiObject {
  if (how === 'put' || how === 'post')
    return objectOf(kind, overlay(before ?? {}, body as JsonObject))
  const live = objectOf(kind, before ?? {}) as unknown as JsonObject
  const patched =
    how === 'json'
      ? jsonPatch(live, body)
      : how === 'merge'
        ? mergePatch(live, body)
        : strategicMerge(live, body, shapes[kind])
  return patched as unknown as ApiObject
}

function objectOf(kind: KindName, { managed, order, metadata, ...content }: State): ApiObject {
  const entries = order?.map((writer) => entryOf(kind, writer, managed?.[writer]))
  return {
    apiVersion: apiVersions[kind],
    kind,
    ...content,
    metadata: {
      ...metadata,
      name: 'r',
      namespace: 'n',
      ...(entries && { managedFields: entries }),
    } as unknown as ApiObject['metadata'],
  }
}

function entryOf(
  kind: KindName,
  writer: string,
  said: { readonly t?: number; readonly f: Brief } | undefined,
): ManagedFields {
  // `[{}]`, by which a client clears the entries.
  if (writer.trim() === '') return {} as ManagedFields
  const [manager = '', operation = '', subresource = ''] = writer.split(' ')
  return {
    manager,
    operation: operation === 'Apply' ? 'Apply' : 'Update',
    apiVersion: apiVersions[kind],
    ...(said?.t !== undefined && {
      time: new Date(said.t * 1000).toISOString().replace('.000', ''),
    }),
    fieldsType: 'FieldsV1',
    fieldsV1: fieldSetOf(said?.f ?? 0),
    ...(subresource !== '' && { subresource }),
  }
}

const fieldSetOf = (brief: Brief): FieldSet =>
  brief === 0
    ? {}
    : Object.fromEntries(
        Object.keys(brief)
          .toSorted()
          .map((element) => [
            /^([kvi]:|\.$)/.test(element) ? element : `f:${element}`,
            fieldSetOf(brief[element] ?? 0),
          ]),
      )

/** If the step wrote a time, then this one. */
const lastTime = ({ managed = {} }: State): number =>
  1000 * Math.max(0, ...Object.values(managed).map(({ t = 0 }) => t))

/** What `delta` in generate.mjs took apart. */
function overlay(from: JsonObject, change: JsonObject): State {
  const whole: { [field: string]: Json | undefined } = { ...from }
  for (const [field, value] of Object.entries(change)) {
    const before = whole[field]
    if (value === null) delete whole[field]
    else whole[field] = isMap(before) && isMap(value) ? overlay(before, value) : value
  }
  return whole
}

const isMap = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
