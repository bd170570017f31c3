/** HTML from values: whatever is put in is text, unless it was made here. */
import { escapeHtml } from '../../../core/escape-html.ts'

export type Html = { readonly html: string }

type Part = string | number | Html | readonly Html[]

export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return {
    html: texts.map((text, i) => text + (i < parts.length ? insert(parts[i]) : '')).join(''),
  }
}

function insert(part: Part | undefined): string {
  if (part === undefined) return ''
  if (typeof part !== 'object') return escapeHtml(String(part))
  return 'html' in part ? part.html : part.map((one) => one.html).join('')
}
