/** Deletes an object, or all that a list would have. */
import type { DeleteBy } from '../api.ts'
import { unsupported, wrong } from '../kinds/validate/field-errors.ts'
import type { ApiObject, JsonObject } from '../object.ts'
import { badRequest, methodNotAllowed, notFound } from '../refusal.ts'
import type { ResourceType } from '../resource-type.ts'
import { removeObject } from '../write/remove.ts'
import { type Call, type Core, keepingOf } from './core.ts'
import { jsonAnswer, type Whole } from './exchange.ts'
import { shownFor } from './get.ts'
import { readPage } from './list.ts'
import { checkDryRun, readCount, readFlag, refuseOptions } from './query.ts'
import { readBody, textOf } from './read-body.ts'
import { showList, showObject } from './shown.ts'

/** Kinds whose deletion is answered with the object, not with a Status. */
const answersObject = new Set([
  'namespaces',
  'persistentvolumeclaims',
  'persistentvolumes',
  'pods',
  'podtemplates',
  'resourcequotas',
  'serviceaccounts',
  'services',
])

export function deleteObject(core: Core, call: Call): Whole {
  const { type, namespace, name = '' } = call
  const shown = shownFor(core, call)
  const by = readDeleteOptions(call)
  const { stored, fromStored } = keepingOf(core, type)
  const old = core.store.get(stored, { namespace, name })
  if (old === undefined) throw notFound(type, name)
  const { object, gone } = removeObject(core, stored, { old, by })
  if (!gone || (type.group === '' && answersObject.has(type.plural))) {
    return jsonAnswer(200, showObject(shown, fromStored(object)))
  }
  return jsonAnswer(200, JSON.stringify(successOf(type, object)))
}

export function deleteObjects(core: Core, call: Call): Whole {
  const { type, namespace } = call
  if (type.namespaced && namespace === undefined) throw methodNotAllowed()
  const shown = shownFor(core, call)
  const by = readDeleteOptions(call)
  const { stored, fromStored } = keepingOf(core, type)
  const { items, metadata } = readPage(core, call)
  for (const old of items) removeObject(core, stored, { old, by })
  return jsonAnswer(200, showList(shown, items.map(fromStored), metadata))
}

const successOf = ({ group, plural }: ResourceType, { metadata }: ApiObject): JsonObject => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details: {
    name: metadata.name,
    ...(group !== '' && { group }),
    kind: plural,
    uid: metadata.uid,
  },
})

type Written = {
  readonly kind?: string
  readonly apiVersion?: string
  readonly gracePeriodSeconds?: number | null | undefined
  readonly propagationPolicy?: string | null | undefined
  readonly orphanDependents?: boolean | null | undefined
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | null
  readonly dryRun?: readonly string[] | null
}

/** The query counts only where there is no body. */
function readDeleteOptions(call: Call): DeleteBy {
  const { query } = call
  const written: Written =
    textOf(call) === ''
      ? {
          gracePeriodSeconds: readCount(query, 'gracePeriodSeconds'),
          propagationPolicy: query.get('propagationPolicy') ?? undefined,
          orphanDependents: readFlag(query, 'orphanDependents'),
          dryRun: query.getAll('dryRun'),
        }
      : readBody(call, 'DeleteOptions')
  const { kind = 'DeleteOptions', preconditions, gracePeriodSeconds } = written
  const dryRun = written.dryRun ?? []
  if (kind !== 'DeleteOptions') {
    throw badRequest(
      `no kind "${kind}" is registered for version "${written.apiVersion}" in scheme "pkg/runtime/scheme.go:111"`,
    )
  }
  if (typeof (gracePeriodSeconds ?? 0) !== 'number') {
    throw badRequest(
      `json: cannot unmarshal ${typeof gracePeriodSeconds} into Go struct field DeleteOptions.gracePeriodSeconds of type int64`,
    )
  }
  refuseOptions('DeleteOptions', checkDryRun(dryRun))
  return {
    graceSeconds: gracePeriodSeconds ?? undefined,
    propagation: propagationOf(written),
    uid: preconditions?.uid,
    resourceVersion: preconditions?.resourceVersion,
    dryRun: dryRun.length > 0,
  }
}

function propagationOf({ propagationPolicy, orphanDependents }: Written): DeleteBy['propagation'] {
  const field = 'propagationPolicy'
  const given = propagationPolicy ?? undefined
  if (given === undefined || given === '') {
    if (typeof orphanDependents !== 'boolean') return undefined
    return orphanDependents ? 'Orphan' : 'Background'
  }
  if (typeof orphanDependents === 'boolean') {
    const said = 'orphanDependents and deletionPropagation cannot be both set'
    refuseOptions('DeleteOptions', [wrong(field, given, said)])
  }
  if (given === 'Foreground' || given === 'Background' || given === 'Orphan') return given
  const supported = ['Foreground', 'Background', 'Orphan', 'nil']
  refuseOptions('DeleteOptions', [unsupported(field, given, supported)])
  return undefined
}
