/** A sentence in parts: where it names its pod or its node, that becomes a link. */
import type { Happening } from '../../src/apis/dashboard.ts'

export type Part = { readonly text: string; readonly is: 'text' | 'pod' | 'node' }

/** What it does not name comes after it. Names stand alone: `node-1` is not in `node-12`. */
export function partsOf({
  text,
  pod,
  node,
}: Pick<Happening, 'text' | 'pod' | 'node'>): readonly Part[] {
  const kinds = new Map<string, Part['is']>()
  if (node !== undefined) kinds.set(node, 'node')
  if (pod !== undefined) kinds.set(pod, 'pod')
  const names = [...kinds.keys()].map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (names.length === 0) return [{ text, is: 'text' }]
  const found = new RegExp(`(?<![\\w./-])(${names.join('|')})(?![\\w/-]|\\.\\w)`)
  const parts = text
    .split(found)
    .filter((part) => part !== '')
    .map((part): Part => ({ text: part, is: kinds.get(part) ?? 'text' }))
  const left = [...kinds].filter(([name]) => !parts.some((part) => part.text === name))
  return [
    ...parts,
    ...left.flatMap(([name, is]): Part[] => [
      { text: ' ', is: 'text' },
      { text: name, is },
    ]),
  ]
}
