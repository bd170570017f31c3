/** Changes an object by a patch of one of four forms. */
import { forbiddenField, required } from '../kinds/validate/field-errors.ts'
import { type ApiObject, isJsonObject, type Json, type JsonObject } from '../object.ts'
import { applyConfiguration } from '../patch/apply.ts'
import { goText, jsonTypeName } from '../patch/go-text.ts'
import { jsonPatch } from '../patch/json-patch.ts'
import { mergePatch } from '../patch/merge-patch.ts'
import { strategicMerge } from '../patch/strategic-merge.ts'
import { badRequest, notFound, Refusal, unsupportedMediaType } from '../refusal.ts'
import { apiVersionOf, type ResourceType } from '../resource-type.ts'
import { isCustom, ownsStatus, type Write } from '../write/cluster.ts'
import { createObject } from '../write/create.ts'
import { updateObject } from '../write/update.ts'
import { explainConversion } from './conversion.ts'
import { type Call, type Core, keepingOf } from './core.ts'
import { jsonAnswer, type Whole } from './exchange.ts'
import { findObject, shownFor } from './get.ts'
import { parseJson } from './parse-json.ts'
import { parseYaml } from './parse-yaml.ts'
import { checkPlace, putScale, withoutVersion } from './put.ts'
import { readWriteQuery, refuseOptions, type WriteQuery } from './query.ts'
import { mediaTypeOf, type Read, readObject, textOf } from './read-body.ts'
import { scaleOf } from './scale.ts'
import { showObject } from './shown.ts'

const json = 'application/json-patch+json'
const merge = 'application/merge-patch+json'
const strategic = 'application/strategic-merge-patch+json'
const apply = 'application/apply-patch+yaml'

export function patchObject(core: Core, call: Call): Whole {
  const { type, subresource, query, headers } = call
  const form = mediaTypeOf(call)
  checkForm(type, form)
  const options = readWriteQuery(query, { kind: 'PatchOptions', userAgent: headers['user-agent'] })
  const isApply = form === apply
  refuseOptions('PatchOptions', [
    ...(isApply && (query.get('fieldManager') ?? '') === ''
      ? [required('fieldManager', 'is required for apply patch')]
      : []),
    ...(!isApply && query.has('force')
      ? [forbiddenField('force', 'may not be specified for non-apply patch')]
      : []),
  ])
  const write: Write = {
    type: keepingOf(core, type).stored,
    subresource,
    manager: options.manager,
    dryRun: options.dryRun,
    applied: isApply,
  }
  if (subresource === 'scale') return patchScale(core, call, { write, form })
  return isApply
    ? applyPatch(core, call, { write, options })
    : patchExisting(core, call, { write, options, form })
}

/** Kinds of CRDs have no strategic merge. */
function checkForm(type: ResourceType, form: string): void {
  const forms = isCustom(type) ? [json, merge, apply] : [json, merge, strategic, apply]
  if (forms.includes(form)) return
  if (form !== strategic) {
    throw new Refusal({
      code: 415,
      reason: 'UnsupportedMediaType',
      message: '415: Unsupported Media Type',
      details: {},
    })
  }
  throw unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${forms.join(', ')}`,
  )
}

type Patching = { readonly write: Write; readonly options: WriteQuery; readonly form: string }

function patchExisting(core: Core, call: Call, { write, options, form }: Patching): Whole {
  const { type } = call
  const shown = shownFor(core, call)
  const { toStored, fromStored } = keepingOf(core, type)
  const live = findObject(core, call) as JsonObject
  const patch = parsePatch(call)
  const patched =
    form === strategic ? strategicMerge(live, patch, type.shape) : patchPlainly(form, live, patch)
  const { object, warnings } = readPatched(type, patched, {
    validation: options.validation,
    ...(form === strategic
      ? { print: () => goText(patch as Json), explain: explainConversion }
      : { print: () => JSON.stringify(patched), explain: (why: string) => why }),
  })
  checkPlace(call, object)
  const next = toStored(object)
  const updated = updateObject(core, write, { next, old: oldOf(core, call) })
  return jsonAnswer(200, showObject(shown, fromStored(updated)), warnings)
}

function oldOf(core: Core, { type, namespace, name = '' }: Call): ApiObject {
  const old = core.store.get(keepingOf(core, type).stored, { namespace, name })
  if (old === undefined) throw notFound(type, name)
  return old
}

const patchPlainly = (form: string, object: JsonObject, patch: unknown): JsonObject =>
  form === json ? jsonPatch(object, patch) : mergePatch(object, patch)

function parsePatch(call: Call): unknown {
  try {
    return parseJson(textOf(call))
  } catch (error) {
    const prefix = mediaTypeOf(call) === strategic ? '' : 'error decoding patch: '
    throw badRequest(`${prefix}${(error as Error).message}`)
  }
}

/** What a patch makes of an object and cannot be read is the patch's fault. */
function readPatched(
  type: ResourceType,
  patched: JsonObject,
  by: {
    readonly validation: WriteQuery['validation']
    readonly print: () => string
    readonly explain: (why: string) => string
  },
): Read {
  try {
    return readObject(type, patched, by.validation)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const why = error.message.replace(/^.* cannot be handled as a [^:]*: /, '')
    const message = `Invalid value: ${JSON.stringify(by.print())}: ${by.explain(why)}`
    throw new Refusal({
      code: 422,
      reason: 'Invalid',
      message: ` "" is invalid: patch: ${message}`,
      details: { causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }] },
    })
  }
}

function applyPatch(core: Core, call: Call, at: Omit<Patching, 'form'>): Whole {
  const { write, options } = at
  const { type, namespace, name = '', subresource } = call
  const shown = shownFor(core, call)
  const config = parseConfig(call)
  const { stored, fromStored, toStored } = keepingOf(core, type)
  const old = core.store.get(stored, { namespace, name })
  if (old === undefined && subresource !== '') throw notFound(type, name)
  const applied = applyConfiguration({
    live: old && fromStored(old),
    config: withName(config, call),
    manager: options.manager,
    force: options.force,
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    shape: type.shape,
    ownsStatus: ownsStatus(type),
    ...(subresource !== '' && { subresource }),
    now: core.agenda.wall(),
  })
  const { object } = readObject(type, applied as unknown as JsonObject, 'Ignore')
  checkPlace(call, object)
  const next = toStored(object)
  if (old === undefined) {
    const made = createObject(core, write, { object: withoutVersion(next), namespace })
    const warnings = stored.strategy.warnOnCreate?.(made) ?? []
    return jsonAnswer(201, showObject(shown, fromStored(made)), warnings)
  }
  const updated = updateObject(core, write, { next, old })
  return jsonAnswer(200, showObject(shown, fromStored(updated)))
}

function parseConfig(call: Call): JsonObject {
  let value: unknown
  try {
    value = parseYaml(textOf(call), parseJson)
  } catch (error) {
    throw badRequest(
      `error decoding YAML: error converting YAML to JSON: yaml: ${(error as Error).message.split('\n', 1)[0]}`,
    )
  }
  if (isJsonObject(value ?? {})) return (value ?? {}) as JsonObject
  throw badRequest(
    `error decoding YAML: error converting YAML to JSON: json: cannot unmarshal ${jsonTypeName(value)} into Go value of type map[string]interface {}`,
  )
}

/** A configuration need not say where it goes. */
function withName(config: JsonObject, { name, namespace }: Call): JsonObject {
  const given = config['metadata'] ?? {}
  const metadata = isJsonObject(given) ? given : {}
  return {
    ...config,
    metadata: { name, ...(namespace !== undefined && { namespace }), ...metadata },
  }
}

function patchScale(
  core: Core,
  call: Call,
  { write, form }: { readonly write: Write; readonly form: string },
): Whole {
  const scale = scaleOf(call.type, findObject(core, call))
  if (form === apply) {
    const body = mergePatch(scale, parseConfig(call))
    return putScale(core, call, { write: { ...write, applied: false }, body })
  }
  const body = patchPlainly(form, scale, parsePatch(call))
  return putScale(core, call, { write, body })
}
