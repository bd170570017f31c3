/** Go's zero values. */
import type { Shape } from '../shape.ts'

const zeros: Readonly<Record<Shape['type'], unknown>> = {
  string: '',
  boolean: false,
  integer: 0,
  number: 0,
  'int-or-string': 0,
  list: [],
  map: {},
  object: {},
  any: null,
}

/** What null becomes in a list or map of built-in types. */
export const zeroOf = (shape: Shape): unknown =>
  shape.type === 'string' && shape.format === 'quantity' ? '0' : zeros[shape.type]

export const isZero = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).length === 0
    : value === '' || value === 0 || value === false
