/** Functions on strings that Kubernetes has and the library has not, or not as Go does them. */
import type { Environment } from '@marcbachmann/cel-js'

import { compileRegexp, type Regexp } from '../../regexp/regexp.ts'
import { spend } from './cost.ts'
import { CelFault } from './fault.ts'
import { formatText } from './format.ts'

function regexOf(pattern: string, refused: string): Regexp {
  try {
    return compileRegexp(pattern)
  } catch (error) {
    throw new CelFault(`${refused}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** All matches, or the first `limit` of them. */
const findAll = (text: string, pattern: string, limit = -1n): readonly string[] =>
  regexOf(pattern, 'Illegal regex').findAll(text, limit < 0n ? Infinity : Number(limit))

function replace(text: string, [from, to]: readonly [string, string], limit = -1n): string {
  // Before it is made: what replaces a character may be as long as the text.
  spend((text.length / Math.max(1, from.length)) * (to.length / 10))
  if (limit < 0n) return text.replaceAll(from, () => to)
  const parts = text.split(from)
  const cut = Math.min(Number(limit), parts.length - 1)
  return [parts.slice(0, cut + 1).join(to), ...parts.slice(cut + 1)].join(from)
}

/** What calls of `matches` are renamed to: the library's own knows JavaScript's expressions only. */
export const GO_MATCHES = 'matchesGo'

export function registerStrings(env: Environment): void {
  env.registerFunction(`string.${GO_MATCHES}(string): bool`, (text: string, pattern: string) =>
    regexOf(pattern, 'error parsing regexp').test(text),
  )
  env.registerFunction('string.charAt(int): string', (text: string, at: bigint) => {
    const runes = Array.from(text)
    if (at < 0n || at > BigInt(runes.length)) throw new CelFault(`index out of range: ${at}`)
    return runes[Number(at)] ?? ''
  })
  env.registerFunction(
    'string.replace(string, string): string',
    (text: string, from: string, to: string) => replace(text, [from, to]),
  )
  env.registerFunction(
    'string.replace(string, string, int): string',
    (...[text, from, to, limit]: [string, string, string, bigint]) =>
      replace(text, [from, to], limit),
  )
  env.registerFunction(
    'string.find(string): string',
    (text: string, pattern: string) => findAll(text, pattern, 1n)[0] ?? '',
  )
  env.registerFunction('string.findAll(string): list<string>', (text: string, pattern: string) =>
    findAll(text, pattern),
  )
  env.registerFunction('string.findAll(string, int): list<string>', findAll)
  env.registerFunction('string.format(list): string', (text: string, args: Iterable<unknown>) =>
    formatText(text, [...args]),
  )
  env.registerFunction('string(google.protobuf.Timestamp): string', (at: Date) =>
    at.toISOString().replace(/\.?0*Z$/, 'Z'),
  )
  env.registerFunction('string(google.protobuf.Duration): string', String)
  env.registerFunction('int(google.protobuf.Timestamp): int', (at: Date) =>
    BigInt(Math.floor(at.getTime() / 1000)),
  )
}
