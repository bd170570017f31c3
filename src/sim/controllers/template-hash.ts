/** The label `pod-template-hash`: equal for equal templates, whatever the order of their fields. */
import type { Json } from '../apiserver/object.ts'
import type { PodTemplate } from './workload.ts'

export const hashLabel = 'pod-template-hash'

/** Without vowels, so that no word comes out. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

export function templateHash(template: PodTemplate, collisions = 0): string {
  const text = `${textOf(template)}${collisions === 0 ? '' : collisions}`
  // FNV-1a, 32 bits.
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return String(hash >>> 0)
    .split('')
    .map((digit) => alphabet[digit.charCodeAt(0) % alphabet.length])
    .join('')
}

/** Whether a set was made of this template: the label that it got does not count. */
export const isSameTemplate = (a: PodTemplate, b: PodTemplate): boolean => textOf(a) === textOf(b)

/** Templates are compared at every look, and change seldom. */
const texts = new WeakMap<PodTemplate, string>()

function textOf(template: PodTemplate): string {
  const known = texts.get(template)
  if (known !== undefined) return known
  const { metadata, ...rest } = template
  const { [hashLabel]: _, ...labels } = metadata?.labels ?? {}
  const text = canonical({ ...rest, metadata: { ...metadata, labels } } as unknown as Json)
  texts.set(template, text)
  return text
}

function canonical(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  const entries = Object.entries(value as Record<string, Json | undefined>)
    .filter(([, one]) => one !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, one]) => `${key}:${canonical(one)}`).join()}}`
}
