/** Why a value cannot be read, in the words of Go's decoders; where it is, the caller knows. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** `goType` is what the field is in Go: `string`, `[]v1.Container`. */
export class WrongType extends Error {
  override readonly name = 'WrongType'
  readonly got: string
  readonly goType: string

  constructor(value: unknown, goType: string, { showsValue = false } = {}) {
    const got = showsValue ? `${nameOf(value)} ${String(value)}` : nameOf(value)
    super(`cannot unmarshal ${got} into ${goType}`)
    this.got = got
    this.goType = goType
  }
}

function nameOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}
