/** What `kubectl get` prints of an object: the columns that its CRD asks for, or its age. */
import type { ApiObject, Json } from '../object.ts'
import type { Column } from '../resource-type.ts'
import { printAgeOf } from '../table/age.ts'
import type { Version } from './definition.ts'
import { findByPath, parseJsonPath } from './json-path.ts'
import { sorted } from './sorted.ts'

type Written = NonNullable<Version['additionalPrinterColumns']>[number]

const byAge: Written = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
}

export const columnsOf = ({ additionalPrinterColumns = [] }: Version): readonly Column[] =>
  (additionalPrinterColumns.length === 0 ? [byAge] : additionalPrinterColumns).map(columnOf)

function columnOf(written: Written): Column {
  const { name, type, format, description = '', priority = 0, jsonPath = '' } = written
  const path = parseJsonPath(jsonPath)
  return {
    name,
    type,
    ...(format !== undefined && { format }),
    description:
      description === ''
        ? `Custom resource definition column (in JSONPath format): ${jsonPath}`
        : description,
    priority,
    cell: (object, { now }) => {
      const [found] = path ? findByPath(asJson(object), path) : []
      return found === undefined || (found === null && type !== 'string')
        ? null
        : cellOf(found, type, now)
    },
  }
}

/** What is stored is JSON, though its type does not say so. */
export const asJson = (object: ApiObject): Json => object as unknown as Json

function cellOf(value: Json, type: Column['type'], now: number): Json {
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null
    case 'number':
      return typeof value === 'number' ? value : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'date':
      if (typeof value !== 'string') return null
      return Number.isNaN(Date.parse(value)) ? '<invalid>' : printAgeOf(value, now)
    case 'string':
      return textOf(value)
    default:
      return null
  }
}

export function textOf(value: Json): string {
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(sorted(value)) : String(value)
}
