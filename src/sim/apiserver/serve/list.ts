/** Lists: of a version, in pages, as far as the selectors match. */
import { forbiddenField, unsupported } from '../kinds/validate/field-errors.ts'
import type { ApiObject } from '../object.ts'
import { badRequest, notANumber, tooLargeVersion } from '../refusal.ts'
import { selectionOf } from '../select/selection.ts'
import { type Call, type Core, keepingOf } from './core.ts'
import { jsonAnswer, type Whole } from './exchange.ts'
import { shownFor } from './get.ts'
import { expiredToken, expiredVersion, type Page, pageOf, readToken } from './pages.ts'
import { readCount, refuseOptions } from './query.ts'
import { showList } from './shown.ts'

export function listObjects(core: Core, call: Call): Whole {
  const shown = shownFor(core, call)
  const { items, metadata } = readPage(core, call)
  const { fromStored } = keepingOf(core, call.type)
  return jsonAnswer(200, showList(shown, items.map(fromStored), metadata))
}

/** Objects as they are stored. */
export function readPage(core: Core, call: Call): Page {
  const { type, namespace, query } = call
  checkListQuery(query)
  const { stored, fromStored } = keepingOf(core, type)
  const selection = selectionOf(type, {
    labels: query.get('labelSelector') ?? '',
    fields: query.get('fieldSelector') ?? '',
  })
  const { objects, version, start } = objectsFor(core, { ...call, type: stored })
  return pageOf(objects, {
    version,
    namespace,
    start,
    limit: Math.max(0, readCount(query, 'limit') ?? 0),
    selection:
      type === stored || selection === undefined
        ? selection
        : (object) => selection(fromStored(object)),
  })
}

function objectsFor({ store }: Core, { type, namespace, query }: Call) {
  const current = store.version()
  const kept = type.computed?.list(namespace) ?? store.list(type, namespace)
  const now = { objects: kept, version: current, start: '' }
  const text = query.get('resourceVersion') ?? ''
  const token = query.get('continue') ?? ''
  if (token !== '') {
    const { rv, start } = readToken(token)
    if (text !== '' && text !== '0') {
      throw badRequest('specifying resource version is not allowed when using continue')
    }
    if (rv < 0) return { ...now, start }
    const objects = store.listAt(type, rv, namespace)
    if (objects === undefined || rv > current) throw expiredToken({ rv, start })
    return { objects, version: rv, start }
  }
  if (text === '') return now
  if (!/^\d+$/.test(text)) {
    const said = `resourceVersion: Invalid value: ${JSON.stringify(text)}: ${notANumber(text)}`
    throw badRequest(`invalid resource version: ${said}`)
  }
  const version = Number(text)
  if (version > current) throw tooLargeVersion(version, current)
  if (query.get('resourceVersionMatch') !== 'Exact') return now
  const objects: readonly ApiObject[] | undefined = store.listAt(type, version, namespace)
  if (objects === undefined) throw expiredVersion()
  return { objects, version, start: '' }
}

function checkListQuery(query: URLSearchParams): void {
  const field = 'resourceVersionMatch'
  const match = query.get(field) ?? ''
  const version = query.get('resourceVersion') ?? ''
  if (query.has('sendInitialEvents')) {
    refuseOptions('ListOptions', [
      forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'),
    ])
  }
  if (match === '') return
  refuseOptions('ListOptions', [
    ...(version === ''
      ? [forbiddenField(field, `${field} is forbidden unless resourceVersion is provided`)]
      : []),
    ...(match === 'Exact' || match === 'NotOlderThan'
      ? []
      : [unsupported(field, match, ['Exact', 'NotOlderThan', ''])]),
    ...(match === 'Exact' && version === '0'
      ? [forbiddenField(field, `${field} "exact" is forbidden for resourceVersion "0"`)]
      : []),
  ])
}
