/**
 * The JSONPath of printer columns: `.spec.a`, `.items[0].a`, `.items[*].a`, `.map['a.b']`, `.a\.b` and
 * `.conditions[?(@.type=="Ready")].status`.
 */
import { memberOf } from '../members.ts'
import { isJsonObject, type Json } from '../object.ts'

type Step =
  | { readonly field: string }
  | { readonly index: number }
  | { readonly all: true }
  | { readonly where: readonly Step[]; readonly operator: string; readonly value: Json | undefined }

const steps =
  /\.?\[\?\(@((?:[^=!<>()]|\\.)+?)\s*(?:(==|!=|<=|>=|<|>)\s*(?:"([^"]*)"|'([^']*)'|([^)\s]+)))?\s*\)\]|\.?\[(?:'([^']*)'|"([^"]*)"|(-?\d+)|\*)\]|\.((?:\\.|[^.[\]\\])+)/gy

/** Undefined if it cannot be read. */
export function parseJsonPath(path: string): readonly Step[] | undefined {
  const made: Step[] = []
  let end = 0
  for (const match of path.matchAll(steps)) {
    const [whole, where, operator, double, single, bare, quoted, doubled, index, field] = match
    end += whole.length
    if (where !== undefined) {
      const of = parseJsonPath(where)
      if (!of) return undefined
      const text = double ?? single
      const value = text ?? (bare === undefined ? undefined : literalOf(bare))
      made.push({ where: of, operator: operator ?? '', value })
    } else if (index !== undefined) made.push({ index: Number(index) })
    else if (quoted !== undefined || doubled !== undefined) {
      made.push({ field: quoted ?? doubled ?? '' })
    } else if (field === undefined) made.push({ all: true })
    else made.push(field === '*' ? { all: true } : { field: field.replace(/\\(.)/g, '$1') })
  }
  return end === path.length || path === '.' ? made : undefined
}

function literalOf(text: string): Json {
  if (text === 'true' || text === 'false') return text === 'true'
  const number = Number(text)
  return Number.isNaN(number) ? text : number
}

/** All that the path leads to, in order. */
export function findByPath(value: Json | undefined, path: readonly Step[]): readonly Json[] {
  return path.reduce<readonly Json[]>(
    (found, step) => found.flatMap((one) => follow(one, step)),
    value === undefined ? [] : [value],
  )
}

function follow(value: Json, step: Step): readonly Json[] {
  if ('field' in step) {
    const part = isJsonObject(value) ? memberOf(value, step.field) : undefined
    return part === undefined ? [] : [part]
  }
  if ('index' in step) {
    const part = Array.isArray(value) ? (value as readonly Json[]).at(step.index) : undefined
    return part === undefined ? [] : [part]
  }
  const parts = Array.isArray(value)
    ? (value as readonly Json[])
    : Object.values(isJsonObject(value) ? value : {}).filter((part) => part !== undefined)
  if ('all' in step) return parts
  return parts.filter((part) => {
    const [found] = findByPath(part, step.where)
    return found !== undefined && (step.operator === '' || holds(found, step))
  })
}

function holds(
  found: Json,
  { operator, value }: { operator: string; value: Json | undefined },
): boolean {
  if (operator === '==') return found === value
  if (operator === '!=') return found !== value
  if (typeof found !== typeof value || found === null || value === null || value === undefined) {
    return false
  }
  if (operator === '<') return found < value
  if (operator === '<=') return found <= value
  return operator === '>' ? found > value : found >= value
}
