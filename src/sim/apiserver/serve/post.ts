/** Creates an object, or does what a POST to a subresource means (binding, eviction). */
import type { JsonObject } from '../object.ts'
import { methodNotAllowed } from '../refusal.ts'
import type { Subresource } from '../resource-type.ts'
import { actOn } from '../write/act.ts'
import { createObject } from '../write/create.ts'
import { type Call, type Core, keepingOf } from './core.ts'
import { jsonAnswer, type Whole } from './exchange.ts'
import { findObject, shownFor } from './get.ts'
import { readWriteQuery } from './query.ts'
import { readBody, readObject } from './read-body.ts'
import { showObject } from './shown.ts'

export function postObject(core: Core, call: Call): Whole {
  const { type, namespace, query, headers } = call
  if (type.namespaced && namespace === undefined) throw methodNotAllowed()
  const shown = shownFor(core, call)
  const { dryRun, manager, validation } = readWriteQuery(query, {
    kind: 'CreateOptions',
    userAgent: headers['user-agent'],
  })
  const { stored, toStored, fromStored } = keepingOf(core, type)
  const { object, warnings } = readObject(type, readBody(call, type.kind), validation)
  const write = { type: stored, subresource: '', manager, dryRun } as const
  const made = createObject(core, write, { object: toStored(object), namespace })
  const all = [...warnings, ...(stored.strategy.warnOnCreate?.(made) ?? [])]
  return jsonAnswer(201, showObject(shown, fromStored(made)), all)
}

export function postAction(core: Core, call: Call, subresource: Subresource): Whole {
  const { type, query, headers } = call
  const { dryRun } = readWriteQuery(query, {
    kind: 'CreateOptions',
    userAgent: headers['user-agent'],
  })
  const object = findObject(core, call)
  const body = readBody(call, subresource)
  actOn(core, { type, object, subresource, body, dryRun, typeOf: core.catalog.get })
  return jsonAnswer(201, JSON.stringify(success))
}

const success: JsonObject = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  code: 201,
}
