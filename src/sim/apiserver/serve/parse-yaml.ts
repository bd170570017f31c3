/** YAML bodies, within bounds: the library takes 6 microseconds and 300 bytes for each token. */
import { isMap, isScalar, Lexer, parseDocument, visit } from 'yaml'

/** An object of 1.5 MB in JSON, which is as much as etcd takes, has about as many. */
const MOST_TOKENS = 200_000

/** In brackets; in blocks the library ends by itself at about a thousand. */
const DEEPEST = 500

/** JSON is YAML too, and most clients send it: its parser is a hundred times as fast. Throws an `Error`. */
export function parseYaml(text: string, parseJson: (text: string) => unknown): unknown {
  if (/^\s*[[{]/.test(text)) {
    try {
      return parseJson(text)
    } catch (error) {
      if ((error as Error).message === 'exceeded max depth') throw error
    }
  }
  let tokens = 0
  let depth = 0
  for (const token of new Lexer().lex(text)) {
    tokens += 1
    if (token === '[' || token === '{') depth += 1
    else if (token === ']' || token === '}') depth -= 1
    if (depth > DEEPEST) throw new Error('exceeded max depth')
    if (tokens > MOST_TOKENS) {
      throw new Error(
        `expected at most ${MOST_TOKENS} tokens; send a document of this size as JSON`,
      )
    }
  }
  try {
    // Its own search for keys that are there twice compares each with all before it.
    const document = parseDocument(text, { uniqueKeys: false })
    const [fault] = document.errors
    if (fault) throw fault
    visit(document, { Map: (_, map) => refuseTwins(map) })
    return document.toJS() as unknown
  } catch (error) {
    const isDeep = error instanceof RangeError || /call stack/.test((error as Error).message)
    throw isDeep ? new Error('exceeded max depth') : error
  }
}

function refuseTwins(map: unknown): void {
  const seen = new Set<unknown>()
  for (const { key } of isMap(map) ? map.items : []) {
    const name: unknown = isScalar(key) ? key.value : key
    if (seen.has(name)) throw new Error(`mapping key ${JSON.stringify(name)} already defined`)
    seen.add(name)
  }
}
