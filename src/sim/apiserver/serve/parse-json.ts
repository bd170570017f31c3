/** JSON, with what is wrong with it in Go's words. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError('exceeded max depth')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new SyntaxError(inGo(text, (error as Error).message))
  }
}

/** What is read is walked through and written again by functions that call themselves; Go takes 10,000. */
const DEEPEST = 1000

function isTooDeep(text: string): boolean {
  if (text.length < 2 * DEEPEST) return false
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    if (sign === 0x22) at = endOfText(text, at)
    else if (sign === 0x5b || sign === 0x7b) depth += 1
    else if (sign === 0x5d || sign === 0x7d) depth -= 1
    if (depth > DEEPEST) return true
  }
  return false
}

/** Where the quote is that ends it; a backslash takes the meaning of the next character. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    if (sign === 0x22) return at
    if (sign === 0x5c) at += 1
  }
  return text.length
}

/** Node names the character, or where it is; if there is none, the text breaks off. */
function inGo(text: string, message: string): string {
  const position = Number(/at position (\d+)/.exec(message)?.[1] ?? text.length)
  const named = /^Unexpected token '(.)'/u.exec(message)?.[1]
  const character = named ?? text.slice(position).trimStart().charAt(0)
  if (character === '' || message.startsWith('Unterminated')) return 'unexpected end of JSON input'
  const place = message.includes('property name') ? 'object key string' : 'value'
  return `invalid character '${character}' looking for beginning of ${place}`
}
