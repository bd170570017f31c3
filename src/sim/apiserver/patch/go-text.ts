/** Values as Go's fmt prints them: some of the real server's messages quote them so. */
import { isJsonObject, type Json } from '../object.ts'
import { isList } from './typed.ts'

/** `%v`: `map[a:1 b:[x y]]`. */
export function goText(value: Json | undefined): string {
  if (value === undefined || value === null) return '<nil>'
  if (isJsonObject(value)) return `map[${goFields(value, goText)}]`
  if (isList(value)) return `[${value.map((item) => goText(item)).join(' ')}]`
  return `${value}`
}

/** `%#v`: `map[string]interface {}{"a":1}`. */
export function goSyntax(value: Json | undefined): string {
  if (value === undefined || value === null) return 'interface {}(nil)'
  if (isJsonObject(value)) return `${goType(value)}{${goFields(value, goSyntax, ', ')}}`
  if (isList(value)) {
    return `${goType(value)}{${value.map((item) => goSyntax(item)).join(', ')}}`
  }
  return JSON.stringify(value)
}

/** `%T`. */
export function goType(value: Json | undefined): string {
  if (isJsonObject(value)) return 'map[string]interface {}'
  if (isList(value)) return '[]interface {}'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'string' ? 'string' : '%!s(<nil>)'
}

/** What `encoding/json` calls a value that it cannot take. */
export function jsonTypeName(value: unknown): string {
  if (isList(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  return value === null ? 'null' : typeof value
}

const goFields = (
  value: { readonly [field: string]: Json | undefined },
  print: (field: Json | undefined) => string,
  separator = ' ',
): string =>
  Object.keys(value)
    .toSorted()
    .map((key) => `${print === goSyntax ? JSON.stringify(key) : key}:${print(value[key])}`)
    .join(separator)
