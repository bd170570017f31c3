/**
 * YAML by the `yaml` library, within bounds. By itself it compares each key of a mapping with each other
 * one, so that 20,000 keys take minutes, descends as deep as a text is nested, and does not end on `? ? ? ...`.
 * So its lexer, which is linear, looks first, and keys are compared here.
 */
import { createRequire } from 'node:module'

import type { Document, Node, Pair, ParsedNode } from 'yaml'

/** Loaded when first used, and not for JSON or plain YAML: every megabyte counts on every node. */
export const yaml = (): typeof import('yaml') =>
  createRequire(import.meta.url)('yaml') as typeof import('yaml')

export type YamlBounds = {
  readonly bytes: number
  readonly depth: number
  /** Scalars, signs, comments and the space between them: about five for an entry of a mapping. */
  readonly tokens: number
  readonly aliases: number
}

/** At 5 µs a token it takes two seconds at most. */
export const usualYamlBounds: YamlBounds = {
  bytes: 4 << 20,
  depth: 100,
  tokens: 400_000,
  aliases: 1000,
}

/** One document. What is wrong with it is thrown as an `Error`, with the line that it is in. */
export function parseYaml(text: string, bounds: YamlBounds = usualYamlBounds): unknown {
  checkBounds(text, bounds)
  const document = yaml().parseDocument(text, {
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  })
  const [fault] = [...document.errors, ...document.warnings]
  if (fault?.code === 'MULTIPLE_DOCS') throw new Error('expected one document, got several')
  if (fault !== undefined) throw faultAt(text, fault.message, fault.pos[0])
  checkKeys(document, text)
  return document.toJS() as unknown
}

const remedy = 'as JSON it may be larger'

/** Refuses before anything is built. */
function checkBounds(text: string, bounds: YamlBounds): void {
  if (text.length > bounds.bytes) {
    throw new Error(
      `expected at most ${bounds.bytes} characters of YAML, got ${text.length}; ${remedy}`,
    )
  }
  const { Lexer, CST } = yaml()
  const nesting = createNesting()
  let [tokens, aliases] = [0, 0]
  for (const token of new Lexer().lex(text)) {
    tokens += 1
    if (tokens > bounds.tokens) {
      throw new Error(`expected at most ${bounds.tokens} tokens of YAML, got more; ${remedy}`)
    }
    const type = CST.tokenType(token)
    if (type === 'alias') aliases += 1
    if (aliases > bounds.aliases) {
      throw new Error(`expected at most ${bounds.aliases} aliases, got more`)
    }
    if (nesting.add(type, token) > bounds.depth) {
      throw new Error(`expected at most ${bounds.depth} levels of nesting, got more`)
    }
  }
}

/** How deep we are, or deeper: brackets that are open, and columns at which mappings and lists have begun. */
function createNesting() {
  const columns: number[] = []
  let flow = 0
  let column = 0
  /** Where the key begins whose colon may come. */
  let content: number | undefined
  const begin = (at: number): void => {
    while ((columns.at(-1) ?? -1) > at) columns.pop()
    if (columns.at(-1) !== at) columns.push(at)
  }
  const take = (type: string | null): void => {
    if (type === 'flow-map-start' || type === 'flow-seq-start') flow += 1
    else if (type === 'flow-map-end' || type === 'flow-seq-end') flow = Math.max(0, flow - 1)
    else if (flow === 0) takeBlock(type)
  }
  const takeBlock = (type: string | null): void => {
    if (type === 'doc-start' || type === 'doc-end') columns.length = 0
    // A list may stand below its key without being indented.
    else if (type === 'seq-item-ind') begin(column + 0.5)
    else if (type === 'explicit-key-ind') begin(column)
    else if (type === 'map-value-ind') begin(content ?? column)
    else {
      if (type !== 'space' && type !== 'newline') content ??= column
      return
    }
    content = undefined
  }
  return {
    add(type: string | null, token: string): number {
      take(type)
      const end = token.lastIndexOf('\n')
      if (end >= 0) {
        column = token.length - end - 1
        content = undefined
      } else if (!marks.has(token)) column += token.length
      return columns.length + flow
    },
  }
}

/** By which the lexer says what comes next: they stand for no character. */
const marks = new Set(['\u0002', '\u0018', '\u001F'])

/** Keys are texts, and of each mapping only once; 1 and "1" are one key. */
function checkKeys(document: Document<ParsedNode>, text: string): void {
  const { isAlias, isMap, isScalar, isSeq } = yaml()
  const visit = (node: unknown): void => {
    if (isSeq(node)) node.items.forEach(visit)
    if (!isMap(node)) return
    const keys = new Set<string>()
    for (const { key, value } of node.items as Pair<Node | null, Node | null>[]) {
      const at = key?.range?.[0] ?? node.range?.[0] ?? 0
      if (isAlias(key) || (key !== null && !isScalar<string | number | boolean | null>(key))) {
        throw faultAt(text, 'expected a text as key, got a list, a mapping or an alias', at)
      }
      const name = key === null ? '' : String(key.value ?? '')
      if (keys.has(name)) throw faultAt(text, 'Map keys must be unique', at)
      keys.add(name)
      visit(value)
    }
  }
  visit(document.contents)
}

const widestLine = 80

function faultAt(text: string, message: string, at: number): Error {
  const before = text.slice(0, at)
  const start = before.lastIndexOf('\n') + 1
  const column = at - start
  const row = before.split('\n').length
  const from = Math.max(0, column - widestLine / 2)
  const [line = ''] = text.slice(start + from, start + from + widestLine).split('\n', 1)
  return new Error(
    `${message} at line ${row}, column ${column + 1}:\n\n${line}\n${' '.repeat(column - from)}^`,
  )
}
