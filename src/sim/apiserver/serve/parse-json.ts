/** JSON, with what is wrong with it in Go's words. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new SyntaxError(inGo(text, (error as Error).message))
  }
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
