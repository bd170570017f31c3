/** Replaces an object or a part of it. */
import type { ApiObject, JsonObject } from '../object.ts'
import { badRequest, notFound } from '../refusal.ts'
import type { Write } from '../write/cluster.ts'
import { createObject, namespaceFor } from '../write/create.ts'
import { checkUid, updateObject } from '../write/update.ts'
import { type Call, type Core, keepingOf } from './core.ts'
import { jsonAnswer, type Whole } from './exchange.ts'
import { findObject, shownFor } from './get.ts'
import { readWriteQuery } from './query.ts'
import { readBody, readObject } from './read-body.ts'
import { scaleOf, withScale } from './scale.ts'
import { showObject } from './shown.ts'

export function putObject(core: Core, call: Call): Whole {
  const { type, namespace, name = '', subresource, query, headers } = call
  const shown = shownFor(core, call)
  const { dryRun, manager, validation } = readWriteQuery(query, {
    kind: 'UpdateOptions',
    userAgent: headers['user-agent'],
  })
  const { stored, toStored, fromStored } = keepingOf(core, type)
  const write: Write = { type: stored, subresource, manager, dryRun }
  const body = readBody(call, type.kind)
  if (subresource === 'scale') return putScale(core, call, { write, body })
  const { object, warnings } = readObject(type, body, validation)
  checkPlace(call, object)
  const old = core.store.get(stored, { namespace, name })
  const next = toStored(object)
  if (old === undefined) {
    if (stored.strategy.createOnUpdate !== true || subresource !== '') throw notFound(type, name)
    const made = createObject(core, write, { object: withoutVersion(next), namespace })
    return jsonAnswer(201, showObject(shown, fromStored(made)), warnings)
  }
  checkUid(stored, next, old)
  const updated = updateObject(core, write, { next, old })
  return jsonAnswer(200, showObject(shown, fromStored(updated)), warnings)
}

/** The path and the object must agree on where it is. */
export function checkPlace({ name, namespace }: Call, { metadata }: ApiObject): void {
  if ((metadata.name ?? '') === '') {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    )
  }
  if (metadata.name !== name) {
    throw badRequest(
      `the name of the object (${metadata.name}) does not match the name on the URL (${name})`,
    )
  }
  namespaceFor(namespace, metadata.namespace)
}

export function withoutVersion(object: ApiObject): ApiObject {
  const { resourceVersion: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

export function putScale(
  core: Core,
  call: Call,
  { write, body }: { readonly write: Write; readonly body: JsonObject },
): Whole {
  const old = findObject(core, call)
  const next = withScale(call.type, old, body)
  const updated = updateObject(core, { ...write, subresource: 'scale' }, { next, old })
  return jsonAnswer(200, JSON.stringify(scaleOf(call.type, updated)))
}
