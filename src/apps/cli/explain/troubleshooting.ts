/** The entries of docs/troubleshooting.md: a heading of the third level is a code, its text the entry. */
import { InvalidInput } from '../../../core/errors.ts'
import { nearest } from '../../../core/nearest.ts'
import { linesOf, type View } from '../output.ts'
import { wrap } from '../show.ts'

export type Entry = { readonly code: string; readonly text: string }

export const entriesIn = (markdown: string): Entry[] =>
  markdown
    .split(/^(?=#)/m)
    .filter((section) => section.startsWith('### '))
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n')
      return { code: heading.slice('### '.length), text: plainText(lines.join('\n').trim()) }
    })

/** On one line; of links only their words are left. */
const plainText = (markdown: string): string =>
  markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\s+/g, ' ')

export const entryOf = (markdown: string, code: string): string | undefined =>
  entriesIn(markdown).find((entry) => entry.code === code)?.text

export function explainReason(markdown: string, code: string): View {
  const entries = entriesIn(markdown)
  const entry = entries.find((one) => one.code.toLowerCase() === code.toLowerCase())
  if (entry === undefined) {
    const codes = entries.map((one) => one.code)
    const meant = nearest(code, codes)
    const hint = meant === undefined ? `known are ${codes.join(', ')}` : `did you mean ${meant}?`
    throw new InvalidInput(`explaining a reason: there is no reason or alert ${code}; ${hint}`)
  }
  return {
    data: entry,
    names: [entry.code],
    text: ({ width, paint }) =>
      linesOf([
        paint(entry.code, 'strong'),
        ...wrap(entry.text, width - 2, 0).map((line) => `  ${line}`),
      ]),
  }
}
