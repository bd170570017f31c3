/** How many replicas there are and should be, in one form for all kinds that have some. */
import { age, column } from '../kinds/columns.ts'
import { negative } from '../kinds/validate/field-errors.ts'
import { selectorText } from '../kinds/validate/labels.ts'
import { memberOf } from '../members.ts'
import { type ApiObject, isJsonObject, type JsonObject } from '../object.ts'
import { invalid } from '../refusal.ts'
import type { ResourceType } from '../resource-type.ts'
import { tableOf } from '../table/table.ts'
import type { Shown } from './shown.ts'

/** Of the built-in kinds. */
const usualPaths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.spec.selector',
}

const stepsOf = (path: string): readonly string[] => path.split('.').slice(1)

const readPath = (object: unknown, path: string): unknown =>
  stepsOf(path).reduce(
    (value, step) => (isJsonObject(value) ? memberOf(value, step) : undefined),
    object,
  )

function writeAt(value: unknown, steps: readonly string[], leaf: unknown): unknown {
  const [step, ...rest] = steps
  if (step === undefined) return leaf
  const fields = isJsonObject(value) ? value : {}
  return { ...fields, [step]: writeAt(memberOf(fields, step), rest, leaf) }
}

type Scale = ApiObject<{ replicas: number }, { replicas: number; selector?: string }> & JsonObject

export function scaleOf({ scale = usualPaths }: ResourceType, object: ApiObject): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const place = namespace === undefined ? {} : { namespace }
  const version = resourceVersion === undefined ? {} : { resourceVersion }
  const count = (path: string) => Number(readPath(object, path) ?? 0)
  const found = readPath(object, scale.labelSelectorPath ?? '') ?? ''
  const selector = isJsonObject(found) ? selectorText(found) : (found as string)
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, ...place, uid, ...version, creationTimestamp },
    spec: { replicas: count(scale.specReplicasPath) },
    status: {
      replicas: count(scale.statusReplicasPath),
      ...(selector !== '' && { selector }),
    },
  }
}

const counts = { type: 'integer' } as const
const columns = [
  column(
    ['Desired', 'Replicas wanted.'],
    ({ spec }) => (spec as Scale['spec'])?.replicas ?? 0,
    counts,
  ),
  column(
    ['Available', 'Replicas there.'],
    ({ status }) => (status as Scale['status'])?.replicas ?? 0,
    counts,
  ),
  age,
]

export function showScale({ type, form, included, now }: Shown, object: ApiObject): string {
  const scale = scaleOf(type, object)
  if (form !== 'table') return JSON.stringify(scale)
  return JSON.stringify(tableOf({ columns }, [scale], { metadata: {}, included, now }))
}

/** The object with the replicas of a Scale that was written. */
export function withScale(
  { scale = usualPaths }: ResourceType,
  object: ApiObject,
  written: JsonObject,
): ApiObject {
  const replicas = Number(readPath(written, '.spec.replicas') ?? 0)
  const errors = negative('spec.replicas', replicas)
  if (errors.length > 0) {
    throw invalid({ group: 'autoscaling', kind: 'Scale' }, object.metadata.name, errors)
  }
  const version = readPath(written, '.metadata.resourceVersion') ?? object.metadata.resourceVersion
  const next = writeAt(object, stepsOf(scale.specReplicasPath), replicas) as ApiObject
  return { ...next, metadata: { ...next.metadata, resourceVersion: version as string } }
}
