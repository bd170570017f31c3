/** Events by their newer names, events.k8s.io/v1: the same objects, kept as those of the core group. */
import type { ApiObject } from '../object.ts'
import type { ResourceType } from '../resource-type.ts'
import type { ObjectShape } from '../shape.ts'

const group = 'events.k8s.io'

const newNames: Readonly<Record<string, string>> = {
  involvedObject: 'regarding',
  message: 'note',
  reportingComponent: 'reportingController',
  source: 'deprecatedSource',
  firstTimestamp: 'deprecatedFirstTimestamp',
  lastTimestamp: 'deprecatedLastTimestamp',
  count: 'deprecatedCount',
}
const oldNames = Object.fromEntries(Object.entries(newNames).map(([old, name]) => [name, old]))

type Names = Readonly<Record<string, string>>

const rename = (object: ApiObject, names: Names): ApiObject =>
  Object.fromEntries(
    Object.entries(object).map(([field, value]) => [names[field] ?? field, value]),
  ) as ApiObject

const toStored = (object: ApiObject): ApiObject => ({
  ...rename(object, oldNames),
  apiVersion: 'v1',
})
const fromStored = (object: ApiObject): ApiObject => ({
  ...rename(object, newNames),
  apiVersion: `${group}/v1`,
})

const renamed = ({ fields }: ObjectShape): ObjectShape => ({
  type: 'object',
  typeName: 'io.k8s.api.events.v1.Event',
  fields: new Map(
    [...fields].map(([name, field]) => [
      newNames[name] ?? name,
      { ...field, required: name === 'eventTime' },
    ]),
  ),
})

/** `involvedObject.name` is `regarding.name`. */
const pathOf = (path: string): string => {
  const [field = '', ...rest] = path.split('.')
  return [newNames[field] ?? field, ...rest].join('.')
}

export const newEventsType = (events: ResourceType): ResourceType => ({
  ...events,
  group,
  shape: renamed(events.shape),
  storedAs: { of: events, toStored, fromStored },
  strategy: {
    ...events.strategy,
    setDefaults: (object) =>
      fromStored(events.strategy.setDefaults?.(toStored(object)) ?? toStored(object)),
  },
  columns: events.columns.map(({ cell, ...column }) => ({
    ...column,
    cell: (object, at) => cell(toStored(object), at),
  })),
  selectableFields: Object.fromEntries(
    Object.entries(events.selectableFields).map(([path, read]) => [
      pathOf(path),
      (object: ApiObject) => read(toStored(object)),
    ]),
  ),
})
