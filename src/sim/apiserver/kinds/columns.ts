/** Columns of the tables that `kubectl get` prints, and those that many kinds share. */
import type { LabelSelector } from '../../label-selector.ts'
import type { ApiObject, Json } from '../object.ts'
import type { Column } from '../resource-type.ts'
import { printAgeOf } from '../table/age.ts'
import { selectorText } from './validate/labels.ts'

type Cell = Column['cell']
type Options = { readonly type?: Column['type']; readonly wide?: boolean }

export const column = (
  [name, description]: readonly [name: string, description: string],
  cell: Cell,
  { type = 'string', wide = false }: Options = {},
): Column => ({ name, type, description, priority: wide ? 1 : 0, cell })

export const age: Column = column(['Age', 'Time since it was created.'], (object, { now }) =>
  printAgeOf(object.metadata.creationTimestamp, now),
)

export const createdAt: Column = column(
  ['Created At', 'When it was created.'],
  (object) => object.metadata.creationTimestamp,
  { type: 'date' },
)

type Template = {
  readonly spec?: { readonly containers?: readonly { readonly name: string; image?: string }[] }
}
type WithTemplate = { readonly template?: Template; readonly selector?: LabelSelector }

const containersOf = ({ spec }: ApiObject) =>
  (spec as WithTemplate | undefined)?.template?.spec?.containers ?? []

/** What `-o wide` adds for kinds that make pods. */
export const templateColumns: readonly Column[] = [
  column(
    ['Containers', 'Names of the containers in the template.'],
    (object) =>
      containersOf(object)
        .map(({ name }) => name)
        .join(','),
    { wide: true },
  ),
  column(
    ['Images', 'Images of the containers in the template.'],
    (object) =>
      containersOf(object)
        .map(({ image = '' }) => image)
        .join(','),
    { wide: true },
  ),
  column(
    ['Selector', 'Selects the pods that belong to it.'],
    ({ spec }) => selectorText((spec as WithTemplate | undefined)?.selector ?? {}),
    { wide: true },
  ),
]

/** A number of the status, 0 if it is not there. */
export const statusCount = (
  says: readonly [name: string, description: string],
  field: string,
): Column =>
  column(says, ({ status }) => (status as Record<string, Json> | undefined)?.[field] ?? 0, {
    type: 'integer',
  })
