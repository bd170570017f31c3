/** What the recorded sequences need of a server around the functions that they judge. */
import {
  type ApiObject,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../../src/sim/apiserver/object.ts'
import type { Field, ObjectShape, Shape } from '../../../src/sim/apiserver/shape.ts'
import { objectMetaShape, shapeOf } from '../../../src/sim/apiserver/types/shape-of.ts'

export type KindName = 'ConfigMap' | 'PodAllocation' | 'Deployment'

export const apiVersions: Readonly<Record<KindName, string>> = {
  ConfigMap: 'v1',
  PodAllocation: 'allocation.mbcas.io/v1alpha1',
  Deployment: 'apps/v1',
}

const struct = (fields: Readonly<Record<string, Shape>>): ObjectShape => ({
  type: 'object',
  fields: new Map(
    Object.entries(fields).map(([name, shape]): [string, Field] => [name, { shape }]),
  ),
})
const text: Shape = { type: 'string' }
const number: Shape = { type: 'number' }
const amount: Shape = { type: 'int-or-string' }
const byName = (items: ObjectShape): Shape => ({
  type: 'list',
  items,
  merge: 'map',
  keys: ['name'],
})

const podAllocation = struct({
  apiVersion: text,
  kind: text,
  metadata: objectMetaShape,
  spec: struct({
    podName: text,
    desiredCPURequest: amount,
    desiredCPULimit: amount,
    urgency: text,
    containers: byName(struct({ name: text, desiredCPURequest: amount, desiredCPULimit: amount })),
    decision: struct({ mode: text, price: number, reason: text }),
  }),
  status: struct({
    phase: text,
    attempts: { type: 'integer' },
    containers: byName(struct({ name: text, appliedCPURequest: amount })),
  }),
})

const builtIn = (kind: KindName): ObjectShape => {
  const shape = shapeOf(apiVersions[kind], kind)
  if (shape) return shape
  throw new Error(`reading the shape of ${kind}: expected one, got none`)
}

export const shapes: Readonly<Record<KindName, ObjectShape>> = {
  ConfigMap: builtIn('ConfigMap'),
  PodAllocation: podAllocation,
  Deployment: builtIn('Deployment'),
}

/** As Go reads it, and with the kind's defaults. */
export function decode(kind: KindName, object: ApiObject): ApiObject {
  const read = withoutEmpty(object as unknown as JsonObject, shapes[kind])
  const { spec } = read
  if (!isJsonObject(spec)) return read as unknown as ApiObject
  const full = kind === 'Deployment' ? deploymentSpec(spec) : { urgency: 'normal', ...spec }
  return { ...read, spec: full } as unknown as ApiObject
}

/** Go leaves out empty lists and maps of built-in types, and every null but those of maps, which are ''. */
function withoutEmpty(value: JsonObject, shape: ObjectShape): JsonObject {
  const read: { [name: string]: Json } = {}
  for (const [name, field] of Object.entries(value)) {
    const below = shape.fields.get(name)?.shape
    if (field === undefined || field === null || below === undefined) continue
    const isEmpty = typeof field === 'object' && Object.keys(field).length === 0
    const isOmitted = isEmpty && shape.typeName !== undefined && below.type !== 'object'
    if (name === 'managedFields') read[name] = field
    else if (!isOmitted) read[name] = readBelow(field, below)
  }
  return read
}

function readBelow(value: Json, shape: Shape): Json {
  if (shape.type === 'object' && isJsonObject(value)) return withoutEmpty(value, shape)
  if (shape.type === 'map' && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, text]) => [key, text ?? '']))
  }
  if (shape.type !== 'list' || !Array.isArray(value)) return value
  return value.map((item: Json) => readBelow(item, shape.items))
}

const rollingUpdate = { maxUnavailable: '25%', maxSurge: '25%' }

function deploymentSpec(spec: JsonObject): JsonObject {
  const strategy = { type: 'RollingUpdate', ...asObject(spec['strategy']) } as JsonObject
  const template = asObject(spec['template'])
  return {
    replicas: 1,
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
    ...spec,
    strategy: {
      ...strategy,
      ...(strategy['type'] === 'RollingUpdate' && {
        rollingUpdate: { ...rollingUpdate, ...asObject(strategy['rollingUpdate']) },
      }),
    },
    template: { metadata: {}, ...template, spec: podSpec(asObject(template['spec'])) },
  }
}

const podSpec = (spec: JsonObject): JsonObject => ({
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
  ...spec,
  containers: asObjects(spec['containers']).map(withContainerDefaults),
})

const withContainerDefaults = (container: JsonObject): JsonObject => ({
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'IfNotPresent',
  ...container,
  ...(container['ports'] !== undefined && {
    ports: asObjects(container['ports']).map(withPortDefaults),
  }),
})

const withPortDefaults = (port: JsonObject): JsonObject => ({ protocol: 'TCP', ...port })

const asObject = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})
const asObjects = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.map(asObject) : []

/** The main resource leaves the status as it was, `/status` all else. */
export function asStored(
  next: ApiObject,
  old: ApiObject | undefined,
  subresource: string | undefined,
): ApiObject {
  const { managedFields } = next.metadata
  const kept = subresource === 'status' && old ? { ...old, status: next.status } : next
  const { managedFields: _, ...metadata } = kept.metadata
  const { status: __, ...rest } = kept
  const status = subresource === 'status' ? next.status : (old?.status ?? emptyStatus(next))
  const stored = {
    ...rest,
    metadata: { ...metadata, managedFields },
    status,
  }
  return JSON.parse(JSON.stringify(stored)) as ApiObject
}

const emptyStatus = ({ kind }: ApiObject): JsonObject | undefined =>
  kind === 'Deployment' ? {} : undefined
