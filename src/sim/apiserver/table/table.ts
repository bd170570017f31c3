/** Objects as rows of a table: `kubectl get` prints the columns that the server gives it. */
import type { ApiObject, Json } from '../object.ts'
import type { Column, ResourceType } from '../resource-type.ts'

/** What each row carries of its object. */
export type Included = 'Metadata' | 'Object' | 'None'

type Table = {
  readonly kind: 'Table'
  readonly apiVersion: 'meta.k8s.io/v1'
  readonly metadata: object
  readonly columnDefinitions: readonly object[] | null
  readonly rows: readonly { readonly cells: readonly Json[]; readonly object: object | null }[]
}

const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object, unique in its namespace.',
  priority: 0,
  cell: ({ metadata }) => metadata.name,
}

type Columned = Pick<ResourceType, 'columns' | 'hasNameColumn'>

const columnsOf = (type: Columned): readonly Column[] =>
  type.hasNameColumn === true ? type.columns : [nameColumn, ...type.columns]

export function tableOf(
  type: Columned,
  objects: readonly ApiObject[],
  options: {
    readonly metadata: object
    readonly included: Included
    /** Milliseconds since 1970, for ages. */
    readonly now: number
    /** Later events of a watch leave them away. */
    readonly withColumns?: boolean
  },
): Table {
  const { metadata, included, now, withColumns = true } = options
  const columns = columnsOf(type)
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: withColumns ? columns.map(definitionOf) : null,
    rows: objects.map((object) => ({
      cells: columns.map(({ cell }) => cell(object, { now })),
      object: included === 'None' ? null : included === 'Object' ? object : partialOf(object),
    })),
  }
}

const definitionOf = ({ name, type, format = '', description, priority }: Column) => ({
  name,
  type,
  format,
  description,
  priority,
})

/** An object of which only the metadata is told. */
export const partialOf = ({ metadata }: ApiObject) => ({
  kind: 'PartialObjectMetadata',
  apiVersion: 'meta.k8s.io/v1',
  metadata,
})
