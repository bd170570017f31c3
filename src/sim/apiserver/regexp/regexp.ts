/** Go's regular expressions: the same syntax, the same matches, and linear time, as schemas and CEL have them. */
import { parseRegexp } from './parse.ts'
import { compileNode } from './program.ts'
import { newSearch, search } from './search.ts'

export type Regexp = {
  readonly test: (text: string) => boolean
  /** At most `limit` of them, from left to right, without overlap. */
  readonly findAll: (text: string, limit?: number) => readonly string[]
}

const compiled = new Map<string, Regexp>()
/** Patterns come from CRDs, and few: the bound only keeps a hostile client from filling the memory. */
const CACHED = 1000
const LONGEST_CACHED = 1000

/** Throws a `SyntaxError` in Go's words. */
export function compileRegexp(pattern: string): Regexp {
  const known = compiled.get(pattern)
  if (known) return known
  const program = compileNode(parseRegexp(pattern))
  const made: Regexp = {
    test: (text) => search(newSearch(program, text), { isTest: true }) !== undefined,
    findAll: (text, limit = Infinity) => {
      const found: string[] = []
      const searching = newSearch(program, text)
      for (let from = 0, last = -1; found.length < limit && from <= text.length;) {
        const match = search(searching, { from })
        if (!match) break
        const isEmpty = match.to === match.from
        // Nothing right behind a match is no match of its own.
        if (!isEmpty || match.from !== last) found.push(text.slice(match.from, match.to))
        last = match.to
        from = isEmpty ? match.to + ((text.codePointAt(match.to) ?? 0) > 0xff_ff ? 2 : 1) : match.to
      }
      return found
    },
  }
  if (compiled.size >= CACHED) compiled.clear()
  if (pattern.length <= LONGEST_CACHED) compiled.set(pattern, made)
  return made
}

/** Why Go would not take it, or undefined. */
export function faultOfRegexp(pattern: string): string | undefined {
  try {
    compileRegexp(pattern)
    return undefined
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return `error parsing regexp: ${error.message}`
  }
}
