/** A label selector in pieces: words, and the signs `! = == != > < ( ) ,`. */
export type Token = {
  readonly text: string
  readonly kind: 'word' | 'sign' | 'end'
}

const signs = ['==', '!=', '=', '!', '>', '<', '(', ')', ','] as const
const end: Token = { text: '', kind: 'end' }

export type Tokens = {
  readonly peek: () => Token
  readonly take: () => Token
}

export function readTokens(text: string): Tokens {
  const tokens = [...text.matchAll(/[=!><(),]+|[^\s=!><(),]+/g)].flatMap(([piece]) =>
    /^[=!><(),]/.test(piece) ? splitSigns(piece) : [{ text: piece, kind: 'word' } as const],
  )
  let next = 0
  return {
    peek: () => tokens[next] ?? end,
    take: () => {
      const token = tokens[next] ?? end
      next += 1
      return token
    },
  }
}

/** The longest first: `===` is `==` and `=`. */
function splitSigns(piece: string): Token[] {
  const found: Token[] = []
  for (let rest = piece; rest !== '';) {
    const text = signs.find((sign) => rest.startsWith(sign)) ?? rest
    found.push({ text, kind: 'sign' })
    rest = rest.slice(text.length)
  }
  return found
}
