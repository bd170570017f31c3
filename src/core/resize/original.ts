/**
 * What a pod's containers had before MBCAS first changed them, as an annotation of the pod: it outlives
 * both the PodAllocation and the controller. Only what was set is in it.
 *
 *   {"main":{"request":"100m","limit":"500m"},"log":{"request":"50m"}}
 */
import { InvalidInput } from '../errors.ts'
import { formatMillicores, parseMillicores } from '../quantity.ts'
import type { Millicores } from '../units.ts'
import { type ContainerCpu, type CpuField, cpuFields } from './types.ts'

export function formatOriginal(spec: readonly ContainerCpu[]): string {
  const entries = spec.flatMap((container) => {
    const amounts = cpuFields.flatMap((field) => {
      const amount = container[field]
      return amount === undefined ? [] : [[field, formatMillicores(amount)] as const]
    })
    return amounts.length === 0 ? [] : [[container.name, Object.fromEntries(amounts)] as const]
  })
  return JSON.stringify(Object.fromEntries(entries))
}

/** Throws `InvalidInput`: annotations can be written by anybody. */
export function parseOriginal(text: string): readonly ContainerCpu[] {
  return Object.entries(readObject(parseJson(text), 'containers by name')).map(([name, value]) => {
    const amounts = readObject(value, `request and limit of ${name}`)
    const other = Object.keys(amounts).find((key) => !isField(key))
    if (other !== undefined) throw unexpected(`request or limit of ${name}`, other)
    const request = readAmount(amounts['request'], `a request of ${name}`)
    const limit = readAmount(amounts['limit'], `a limit of ${name}`)
    if (request !== undefined && limit !== undefined && request > limit) {
      throw unexpected(`a request of ${name} of at most its limit, ${limit}m`, `${request}m`)
    }
    return { name, request, limit }
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw unexpected('JSON', text, cause)
  }
}

function readObject(value: unknown, expected: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unexpected(`an object of ${expected}`, value)
  }
  return { ...value }
}

function readAmount(value: unknown, expected: string): Millicores | undefined {
  if (value === undefined) return undefined
  const wanted = `${expected} such as "100m"`
  if (typeof value !== 'string') throw unexpected(wanted, value)
  let amount: Millicores
  try {
    amount = parseMillicores(value)
  } catch (cause) {
    throw unexpected(wanted, value, cause)
  }
  if (amount < 0) throw unexpected(wanted, value)
  return amount
}

const isField = (key: string): key is CpuField => cpuFields.some((field) => field === key)

/** Short enough for an event, whatever came. */
function unexpected(expected: string, got: unknown, cause?: unknown): InvalidInput {
  const shown = JSON.stringify(got).slice(0, 60)
  return new InvalidInput(
    `reading the original CPU values: expected ${expected}, got ${shown}; ` +
      'correct the annotation',
    { cause },
  )
}
