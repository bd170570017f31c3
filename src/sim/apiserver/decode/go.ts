/** How Go names types and places in its error messages. */
import type { ObjectShape, Shape } from '../shape.ts'

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  boolean: 'bool',
  number: 'float64',
  'int-or-string': 'intstr.IntOrString',
  any: 'interface {}',
}

export function goTypeOf(shape: Shape): string {
  if (shape.type === 'map') return `map[string]${goTypeOf(shape.values)}`
  if (shape.type === 'list') return `[]${goTypeOf(shape.items)}`
  if (shape.type === 'object') return shape.typeName?.split('.').slice(-2).join('.') ?? 'object'
  if (shape.type === 'integer') return shape.format ?? 'int64'
  const isQuantity = shape.type === 'string' && shape.format === 'quantity'
  return isQuantity ? 'resource.Quantity' : (scalars[shape.type] ?? shape.type)
}

/**
 * `Go struct field Container.spec.containers.name`: the struct, then the fields from the outermost
 * built-in type on, with embedded structs and without keys and indices.
 */
export function placeInGo(root: ObjectShape, path: readonly (string | number)[]): string {
  let shape: Shape = root
  let struct = ''
  let fields: string[] = []
  for (const part of path) {
    if (shape.type === 'list') shape = shape.items
    else if (shape.type === 'map') shape = shape.values
    else if (shape.type === 'object') {
      const field = shape.fields.get(String(part))
      if (!field) break
      if (shape.typeName !== undefined) {
        struct = shape.typeName.slice(shape.typeName.lastIndexOf('.') + 1)
        if (field.embedded) fields.push(field.embedded.type)
        fields.push(String(part))
      } else fields = []
      shape = field.shape
    }
  }
  return fields.length === 0 ? 'Go value' : `Go struct field ${struct}.${fields.join('.')}`
}
