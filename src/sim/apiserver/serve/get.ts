/** Reads one object, or the scale of one. */
import type { ApiObject, Place } from '../object.ts'
import { notFound, notANumber, Refusal, tooLargeVersion } from '../refusal.ts'
import { formFor } from './accept.ts'
import { type Call, type Core, keepingOf } from './core.ts'
import { jsonAnswer, type Whole } from './exchange.ts'
import { showScale } from './scale.ts'
import { type Shown, showObject } from './shown.ts'

export function getObject(core: Core, call: Call): Whole {
  const shown = shownFor(core, call)
  checkReadVersion(core, call.query.get('resourceVersion') ?? '')
  const object = findObject(core, call)
  const show = call.subresource === 'scale' ? showScale : showObject
  return jsonAnswer(200, show(shown, object))
}

export function shownFor({ agenda }: Core, { type, headers, query }: Call): Shown {
  const included = query.get('includeObject')
  return {
    type,
    form: formFor(headers['accept']),
    included: included === 'None' || included === 'Object' ? included : 'Metadata',
    now: agenda.wall(),
  }
}

/** As the type that was asked for. */
export function findObject(core: Core, { type, namespace, name = '' }: Call): ApiObject {
  const { stored, fromStored } = keepingOf(core, type)
  const find = type.computed?.find ?? ((place: Place) => core.store.get(stored, place))
  const object = find({ namespace, name })
  if (object === undefined) throw notFound(type, name)
  return fromStored(object)
}

function checkReadVersion({ store }: Core, text: string): void {
  if (text === '') return
  if (!/^\d+$/.test(text)) throw badVersion(text)
  if (Number(text) > store.version()) throw tooLargeVersion(Number(text), store.version())
}

export const badVersion = (text: string): Refusal =>
  new Refusal({
    code: 500,
    reason: '',
    message: `resourceVersion: Invalid value: ${JSON.stringify(text)}: ${notANumber(text)}`,
  })
