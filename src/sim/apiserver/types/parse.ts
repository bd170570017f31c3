/**
 * Reads the table of the built-in types. Its lines:
 *
 *   @core.v1 io.k8s.api.core.v1              a short name for a package
 *   core.v1.Volume retainKeys                a type; notes: retainKeys, atomic
 *     name 1 string !                        a field: name, protobuf number (- is none), type, notes
 *     ^VolumeSource 2                        what follows, further in, is embedded from another struct
 *       emptyDir 2 core.v1.EmptyDirVolumeSource
 *
 * Types: a scalar, `any`, another type, `[]T` and `{}T` (a map). Notes of a field: `!` required,
 * `?` omits zero, `=` default, `enum:a|b` (of the items, if it is a list), `atomic` (a map), and of
 * lists `set`, `by:key,key` (else atomic) for server-side apply, `merge` and `merge:key` for
 * strategic merge patches.
 */
import type { Json } from '../object.ts'
import type { Field, ListShape, ScalarShape, Shape } from '../shape.ts'

export type TypeText = {
  /** `io.k8s.api.core.v1.Volume` */
  readonly typeName: string
  readonly atomic: boolean
  readonly retainKeys: boolean
  readonly body: string
}

/** By short name: where each type is; nothing inside it is read yet. */
export function indexTypes(table: string): ReadonlyMap<string, TypeText> {
  const packages = new Map<string, string>()
  const types = new Map<string, TypeText>()
  for (const [, line = '', body = ''] of table.matchAll(/^([^\s].*)\n((?: .*\n)*)/gm)) {
    const [name = '', ...notes] = line.split(' ')
    if (name.startsWith('@')) {
      packages.set(name.slice(1), notes[0] ?? '')
      continue
    }
    const dot = name.lastIndexOf('.')
    types.set(name, {
      typeName: `${packages.get(name.slice(0, dot))}${name.slice(dot)}`,
      atomic: notes.includes('atomic'),
      retainKeys: notes.includes('retainKeys'),
      body,
    })
  }
  return types
}

/** What a name in the table stands for. */
type Resolve = (name: string) => Shape

export function parseFields(body: string, resolve: Resolve): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>()
  let embedded: Field['embedded']
  for (const [line] of body.matchAll(/.+/g)) {
    const [name = '', number = '', ...rest] = line.trimStart().split(' ')
    if (name.startsWith('^')) {
      embedded = { type: name.slice(1), number: Number(number) }
      continue
    }
    if (!line.startsWith('    ')) embedded = undefined
    fields.set(name, {
      ...parseField(rest, resolve),
      ...(number !== '-' && { number: Number(number) }),
      ...(embedded && { embedded }),
    })
  }
  return fields
}

function parseField([type = '', ...notes]: readonly string[], resolve: Resolve): Field {
  const value = notes.find((note) => note.startsWith('='))
  return {
    shape: shapeOfType(type, { notes, resolve }),
    ...(notes.includes('!') && { required: true }),
    ...(notes.includes('?') && { omitsZero: true }),
    ...(value !== undefined && { default: JSON.parse(value.slice(1)) as Json }),
  }
}

const scalars: Readonly<Record<string, ScalarShape>> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  bytes: { type: 'string', format: 'byte' },
  time: { type: 'string', format: 'date-time' },
  'micro-time': { type: 'string', format: 'micro-time' },
  quantity: { type: 'string', format: 'quantity' },
  'int-or-string': { type: 'int-or-string' },
}
const any: Shape = { type: 'any' }

function shapeOfType(
  type: string,
  { notes, resolve }: { readonly notes: readonly string[]; readonly resolve: Resolve },
): Shape {
  if (type.startsWith('[]')) {
    return { items: shapeOfType(type.slice(2), { notes, resolve }), ...parseList(notes) }
  }
  if (type.startsWith('{}')) {
    const values = shapeOfType(type.slice(2), { notes: [], resolve })
    return { type: 'map', values, ...(notes.includes('atomic') && { atomic: true }) }
  }
  const scalar = scalars[type]
  if (!scalar) return type === 'any' ? any : resolve(type)
  const choices = after('enum:', notes)
  return choices === undefined ? scalar : { ...scalar, enum: choices.split('|') }
}

function parseList(notes: readonly string[]): Omit<ListShape, 'items'> {
  const keys = after('by:', notes)
  const patchKey = after('merge:', notes)
  const merges = patchKey !== undefined || notes.includes('merge')
  return {
    type: 'list',
    merge: keys === undefined ? (notes.includes('set') ? 'set' : 'atomic') : 'map',
    ...(keys !== undefined && { keys: keys.split(',') }),
    ...(merges && { patchStrategy: 'merge' }),
    ...(patchKey !== undefined && { patchKey }),
  }
}

const after = (prefix: string, notes: readonly string[]): string | undefined =>
  notes.find((note) => note.startsWith(prefix))?.slice(prefix.length)
