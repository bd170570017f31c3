import type { KeptDocument } from '../ports/kept-document.ts'

/** A document that outlives a simulated process: hand the same one to the next. */
export function keepInMemory(first?: unknown): KeptDocument {
  let text = textOf(first)
  return {
    where: 'memory',
    load: (): unknown => (text === undefined ? undefined : JSON.parse(text)),
    save: (document) => {
      text = textOf(document)
    },
    remove: () => {
      text = undefined
    },
  }
}

const textOf = (document: unknown): string | undefined =>
  document === undefined ? undefined : JSON.stringify(document)
