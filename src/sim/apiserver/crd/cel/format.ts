/** `"%s is %d".format([a, b])`. */
import { CelFault } from './fault.ts'

export function formatText(text: string, args: readonly unknown[]): string {
  let next = 0
  return text.replace(/%(?:\.(\d+))?(.)/gs, (_, digits: string | undefined, verb: string) => {
    if (verb === '%') return '%'
    if (next >= args.length) throw new CelFault(`index ${next} out of range`)
    const arg = args[next]
    next += 1
    return formatOne(arg, verb, digits === undefined ? 6 : Math.min(100, Number(digits)))
  })
}

function formatOne(arg: unknown, verb: string, precision: number): string {
  switch (verb) {
    case 's':
      return textOf(arg)
    case 'd':
      return textOf(arg)
    case 'f':
      return Number(arg).toFixed(precision)
    case 'e':
      return Number(arg)
        .toExponential(precision)
        .replace(/e([+-])(\d)$/, 'e$10$2')
    case 'b':
      return typeof arg === 'boolean' ? String(Number(arg)) : asInteger(arg).toString(2)
    case 'o':
      return asInteger(arg).toString(8)
    case 'x':
      return hexOf(arg)
    case 'X':
      return hexOf(arg).toUpperCase()
    default:
      throw new CelFault(
        `could not parse formatting clause: unrecognized formatting clause "${verb}"`,
      )
  }
}

const asInteger = (arg: unknown): bigint => {
  if (typeof arg === 'bigint') return arg
  throw new CelFault('no such overload')
}

const hexOf = (arg: unknown): string =>
  typeof arg === 'string' || arg instanceof Uint8Array
    ? Buffer.from(arg).toString('hex')
    : asInteger(arg).toString(16)

function textOf(arg: unknown): string {
  if (arg === null) return 'null'
  if (arg instanceof Date) return arg.toISOString().replace(/\.?0*Z$/, 'Z')
  if (arg instanceof Uint8Array) return Buffer.from(arg).toString('utf8')
  if (Array.isArray(arg) || arg instanceof Set) return `[${[...arg].map(textOf).join(', ')}]`
  if (arg instanceof Map) {
    const entries = [...arg].map(([key, value]) => `${textOf(key)}: ${textOf(value)}`)
    return `{${entries.toSorted().join(', ')}}`
  }
  // Durations and quantities print themselves.
  return (arg as { toString: () => string }).toString()
}
