/**
 * Go's regular expressions (RE2) as JavaScript's: what differs is rewritten, what neither side can do is
 * refused. RE2 is linear; JavaScript backtracks, so that a pattern such as (a+)+$ on a long text costs more
 * here than there.
 *
 *   (?i)abc      /abc/iu
 *   (?P<n>a)\z   /(?<n>a)$/u
 *   [[:alpha:]]  /[A-Za-z]/u
 */

const posixClasses: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
}

/** Escapes that the `u` flag knows; all other escaped punctuation stands for itself. */
const keptEscapes = /^[dDwWsSbBnrtfvxpP0^$\\.*+?()[\]{}|/-]$/

const compiled = new Map<string, RegExp>()
/** Patterns come from CRDs, and few: the bound only keeps a hostile client from filling the memory. */
const CACHED = 1000

export function compilePattern(pattern: string): RegExp {
  const known = compiled.get(pattern)
  if (known) return known
  const made = translate(pattern)
  if (compiled.size >= CACHED) compiled.clear()
  compiled.set(pattern, made)
  return made
}

/** Why Go would not take it, or undefined. */
export function faultOfPattern(pattern: string): string | undefined {
  try {
    compilePattern(pattern)
    return undefined
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return `error parsing regexp: ${error.message}`
  }
}

function translate(pattern: string): RegExp {
  let flags = 'u'
  const opening = /^\(\?([ims]+)\)/.exec(pattern)
  if (opening) flags += opening[1] ?? ''
  const rest = opening ? pattern.slice(opening[0].length) : pattern
  if (/\(\?(?:<?[=!])/.test(rest)) {
    const found = /\(\?<?[=!]/.exec(rest)?.[0].slice(0, 3) ?? ''
    throw new SyntaxError(`invalid or unsupported Perl syntax: \`${found}\``)
  }
  return new RegExp(translateBody(rest), [...new Set(flags)].join(''))
}

function translateBody(text: string): string {
  let made = ''
  let isInClass = false
  for (let i = 0; i < text.length; i += 1) {
    const at = text[i] ?? ''
    const next = text[i + 1] ?? ''
    if (at === '\\') {
      made += translateEscape(next, isInClass)
      i += 1
    } else if (isInClass) {
      const posix = /^\[:(\w+):\]/.exec(text.slice(i))
      if (posix) {
        made += posixClasses[posix[1] ?? ''] ?? ''
        i += posix[0].length - 1
      } else if (at === ']') {
        isInClass = false
        made += at
      } else made += at === '[' || '(){}|/'.includes(at) ? `\\${at}` : at
    } else if (at === '[') {
      isInClass = true
      const first = /^\[\^?\]/.exec(text.slice(i))?.[0] // a bracket that comes first stands for itself
      made += first === undefined ? at : `${first.slice(0, -1)}\\]`
      i += first === undefined ? 0 : first.length - 1
    } else if (text.startsWith('(?P<', i)) {
      made += '(?<'
      i += 3
    } else if (at === '{' && !/^\{\d+(?:,\d*)?\}/.test(text.slice(i))) made += '\\{'
    else if (at === '}' && !/\{\d+(?:,\d*)?$/.test(text.slice(0, i))) made += '\\}'
    else if (at === ']') made += '\\]'
    else made += at
  }
  return made
}

function translateEscape(next: string, isInClass: boolean): string {
  if (next === 'z') return '(?![\\s\\S])'
  if (next === 'A') return '(?<![\\s\\S])'
  if (next === 'a') return '\\x07'
  if (next === '-' && !isInClass) return '-'
  return keptEscapes.test(next) ? `\\${next}` : next
}
