import type { Happening } from '../../src/apis/dashboard.ts'
import type { Span } from './time.ts'

export type Kind = Happening['kind']
export const kinds: readonly Kind[] = [
  'warning',
  'suffering',
  'decision',
  'resize',
  'node',
  'kubernetes',
]

export type Wanted = {
  readonly only: readonly string[]
  readonly text?: string | undefined
  readonly within?: Span | undefined
}

/** The text is looked for in the sentence and in the names of the objects, whatever its case. */
export function chooseEvents(
  events: readonly Happening[],
  { only, text = '', within }: Wanted,
): readonly Happening[] {
  const sought = text.toLowerCase()
  return events.filter(
    (event) =>
      (only.length === 0 || only.includes(event.kind)) &&
      (within === undefined || (event.at >= within.from && event.at <= within.to)) &&
      (sought === '' ||
        [event.text, event.node, event.pod].some((part) => part?.toLowerCase().includes(sought))),
  )
}
