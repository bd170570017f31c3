/**
 * Reads JSON as it comes, in pieces that end anywhere, and keeps only what a `Keep` names: objects
 * are parsed from the little that is left of them, and nothing else is ever held, neither a whole
 * answer nor a whole object. What is skipped is not checked, only counted through: its texts are
 * jumped over by the search for a quote, which is native code.
 *
 *   kept of each object     at most `mostKeptBytes`, else it is `unread`
 *   a text beyond its bound "(more than 256 bytes)" stands for it
 *   cost                    linear in the bytes, a step a text or bracket
 */
import { type IsKept, mostNames, replacement } from '../../apis/keep.ts'
import type { KubeObject } from '../../apis/object.ts'
import { isOfNumber, isPlain, unescape } from './json-bytes.ts'
import type { SieveNode } from './sieve-nodes.ts'
import { SieveText } from './sieve-text.ts'

export type SieveOptions = {
  readonly root: SieveNode
  /** Of one object, in bytes; of what stands around the objects, too. */
  readonly most: number
  readonly onObject: (object: KubeObject) => void
  /** After each document: what stands around its objects. */
  readonly onDocument?: (rest: unknown) => void
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d]

/** What comes next: a value, a name, the rest of one, a colon, ..., what follows a value. */
const [VALUE, KEY, IN_KEY, AFTER_KEY, TEXT, NUMBER, INSIDE, AFTER] = [0, 1, 2, 3, 4, 5, 6, 7]

/** Lists within lists; what we read has far fewer. */
const MOST_DEPTH = 64
/** A name of an annotation has 317 bytes at most. */
const MOST_KEY = 512
const HEAD = 100

type Frame = {
  readonly node: SieveNode
  readonly isList: boolean
  /** Where it begins in what is written, with the comma before it. */
  readonly start: number
  /** Members that were kept. */
  count: number
  /** Of those, found by the beginning of their name. */
  found: number
}

export class Sieve {
  /** How the document under way begins, for messages. */
  head = ''
  readonly #options: SieveOptions
  readonly #object: SieveText
  readonly #around: SieveText
  #out: SieveText
  readonly #frames: Frame[] = []
  #state = VALUE
  #isBegun = false
  /** Of the value to come; undefined: it is skipped. */
  #node: SieveNode | undefined
  #key = ''
  /** A text goes on in the next piece, and this one ended in an odd number of backslashes. */
  #isEscaped = false
  #isCopied = false
  /** Where the value under way begins in what is written. */
  #start = 0
  /** Brackets open in what is skipped or kept whole. */
  #depth = 0
  #isInText = false
  /** Texts of JSON, by name. */
  readonly #ids = new Map<string, string | { readonly start: number; readonly end: number }>()
  #late = ''

  constructor(options: SieveOptions) {
    this.#options = options
    this.#object = new SieveText(options.most)
    this.#around = new SieveText(options.most)
    this.#out = this.#around
    this.#node = options.root
  }

  /** True between documents. */
  get isAtEnd(): boolean {
    return !this.#isBegun
  }

  write(piece: Uint8Array): void {
    const chunk = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    if (this.#isBegun) this.#showHead(chunk, 0)
    let at = 0
    while (at < chunk.length) {
      switch (this.#state) {
        case TEXT:
          at = this.#text(chunk, at)
          break
        case INSIDE:
          at = this.#inside(chunk, at)
          break
        case IN_KEY:
          at = this.#inKey(chunk, at)
          break
        case NUMBER:
          at = this.#number(chunk, at)
          break
        default:
          at = this.#mark(chunk, at)
      }
    }
  }

  /** One character outside of texts and numbers. */
  #mark(chunk: Buffer, at: number): number {
    const byte = chunk[at] ?? 0
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return at + 1
    const state = this.#state
    if (state === VALUE) return this.#value(chunk, at, byte)
    if (state === AFTER_KEY && byte === COLON) this.#state = VALUE
    else if (state === KEY && byte === QUOTE) this.#state = IN_KEY
    else if (state === AFTER && byte === COMMA) this.#next()
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#close(byte)
    else throw new SyntaxError(`unexpected ${JSON.stringify(String.fromCharCode(byte))}`)
    return at + 1
  }

  #next(): void {
    const frame = this.#frames.at(-1)
    this.#state = frame?.isList === true ? VALUE : KEY
    if (frame?.isList !== true) return
    this.#node = frame.count < frame.node.mostMembers ? frame.node : undefined
  }

  #value(chunk: Buffer, at: number, byte: number): number {
    if (!this.#isBegun) this.#begin(chunk, at)
    const node = this.#node
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      const isEntered =
        node !== undefined &&
        (byte === OPEN_LIST ? node.isObject || !node.isWhole : node.fields !== undefined)
      if (isEntered) this.#enter(node, byte)
      else this.#beginInside(node?.isWhole === true)
      return isEntered ? at + 1 : at
    }
    if (byte === CLOSE_LIST) {
      this.#close(byte)
      return at + 1
    }
    this.#isCopied = node !== undefined && (node.isWhole || node.most > 0)
    if (this.#isCopied) this.#announce()
    this.#start = this.#out.length
    this.#late = ''
    if (byte === QUOTE) {
      if (this.#isCopied) this.#out.byte(QUOTE)
      this.#isEscaped = false
      this.#state = TEXT
      return at + 1
    }
    if (!isOfNumber(byte))
      throw new SyntaxError(`unexpected ${JSON.stringify(String.fromCharCode(byte))}`)
    this.#state = NUMBER
    return at
  }

  #begin(chunk: Buffer, at: number): void {
    this.#isBegun = true
    this.head = ''
    this.#showHead(chunk, at)
    this.#around.clear()
    this.#out = this.#around
  }

  #showHead(chunk: Buffer, at: number): void {
    const missing = HEAD - this.head.length
    if (missing > 0)
      this.head = (this.head + chunk.toString('utf8', at, at + missing)).split('\n', 1)[0] ?? ''
  }

  /** Comma and name before a value that is kept. */
  #announce(): void {
    const frame = this.#frames.at(-1)
    if (frame === undefined) return
    if (frame.count > 0) this.#out.byte(COMMA)
    frame.count += 1
    if (!frame.isList) this.#out.text(`"${this.#key}":`)
  }

  #enter(node: SieveNode, bracket: number): void {
    if (this.#frames.length >= MOST_DEPTH) throw new SyntaxError('too many brackets')
    const isList = bracket === OPEN_LIST
    const start = this.#out.length
    if (node.isObject && !isList) this.#beginObject()
    else this.#announce()
    this.#out.byte(bracket)
    this.#frames.push({ node, isList, start, count: 0, found: 0 })
    this.#state = isList ? VALUE : KEY
    this.#node = node
  }

  #close(bracket: number): void {
    const frame = this.#frames.pop()
    if (frame === undefined || frame.isList !== (bracket === CLOSE_LIST)) {
      throw new SyntaxError('brackets that do not match')
    }
    this.#out.byte(bracket)
    if (frame.node.isObject && !frame.isList) this.#finishObject()
    else if (!frame.isList && frame.node.only !== undefined) this.#judge(frame, frame.node.only)
    this.#finishValue()
  }

  /** Takes a member of a list back that is not one of those to be kept. */
  #judge({ start }: Frame, isKept: IsKept): void {
    const list = this.#frames.at(-1)
    if (list?.isList !== true || this.#out.isOver) return
    const text = this.#out.slice(list.count > 1 ? start + 1 : start)
    if (isKept(JSON.parse(text) as Readonly<Record<string, unknown>>, list.count - 1)) return
    this.#out.cut(start)
    list.count -= 1
  }

  #beginObject(): void {
    this.#object.clear()
    this.#out = this.#object
    this.#ids.clear()
  }

  #finishObject(): void {
    const text = this.#object.isOver ? this.#identity() : this.#object.slice()
    this.#out = this.#around
    this.#options.onObject(JSON.parse(text) as KubeObject)
  }

  /** What is left of an object of which too much was to be kept. */
  #identity(): string {
    const { phase, ...metadata } = Object.fromEntries(
      [...this.#ids].map(([id, at]): [string, unknown] => {
        const text = typeof at === 'string' ? at : this.#object.slice(at.start, at.end)
        return [id, JSON.parse(text)]
      }),
    )
    const status = phase !== undefined && { status: { phase } }
    const unread = `more than ${this.#options.most} bytes of it are needed`
    return JSON.stringify({ metadata, ...status, unread })
  }

  #finishValue(): void {
    this.#state = AFTER
    if (this.#frames.length > 0) return
    this.#isBegun = false
    this.#state = VALUE
    this.#node = this.#options.root
    if (this.#around.isOver) throw new SyntaxError(`more than ${this.#options.most} bytes`)
    const rest = this.#around.slice()
    if (rest !== '') this.#options.onDocument?.(JSON.parse(rest))
  }

  #inKey(chunk: Buffer, at: number): number {
    const end = this.#endOfText(chunk, at)
    const stop = end === -1 ? chunk.length : end
    if (!this.#isInText) this.#key = ''
    if (this.#key.length <= MOST_KEY) {
      this.#key += chunk.toString('latin1', at, Math.min(stop, at + MOST_KEY + 1))
    }
    this.#isInText = end === -1
    if (end === -1) return chunk.length
    this.#node = this.#childFor(unescape(this.#key))
    this.#state = AFTER_KEY
    return end + 1
  }

  #childFor(key: string): SieveNode | undefined {
    this.#key = key
    const frame = this.#frames.at(-1)
    const named = frame?.node.fields?.get(key)
    if (named !== undefined || frame === undefined || frame.node.prefixes.length === 0) return named
    if (key.length > MOST_KEY || !isPlain.test(key)) return undefined
    const found = frame.node.prefixes.find(({ prefix }) => key.startsWith(prefix))?.node
    if (found !== undefined && (frame.found += 1) > mostNames) return undefined
    return found
  }

  #text(chunk: Buffer, at: number): number {
    const end = this.#endOfText(chunk, at)
    const stop = end === -1 ? chunk.length : end
    if (this.#isCopied) this.#copyText(chunk, at, stop)
    if (end === -1) return chunk.length
    if (this.#isCopied) {
      this.#out.byte(QUOTE)
      this.#noteId()
    }
    this.#finishValue()
    return end + 1
  }

  #copyText(chunk: Buffer, start: number, end: number): void {
    const { most = 0, isWhole = false } = this.#node ?? {}
    const isLong = !isWhole && this.#out.length - this.#start + end - start > most + 1
    if (!isLong) {
      this.#out.copy(chunk, start, end)
      const isId = this.#node?.id !== undefined && this.#out.isOver
      if (isId && this.#late.length < most) this.#late += chunk.toString('latin1', start, end)
      return
    }
    this.#out.cut(this.#start)
    this.#out.text(`"${replacement(most)}"`)
    this.#isCopied = false
  }

  #noteId(): void {
    const { id } = this.#node ?? {}
    if (id === undefined) return
    const { isOver, length } = this.#out
    this.#ids.set(id, isOver ? `"${this.#late}"` : { start: this.#start, end: length })
  }

  #number(chunk: Buffer, at: number): number {
    let end = at
    while (end < chunk.length && isOfNumber(chunk[end] ?? 0)) end += 1
    if (this.#isCopied) this.#out.copy(chunk, at, end)
    if (end < chunk.length) this.#finishValue()
    return end
  }

  #beginInside(isCopied: boolean): void {
    this.#isCopied = isCopied
    if (isCopied && this.#node?.isObject === true) this.#beginObject()
    else if (isCopied) this.#announce()
    this.#depth = 0
    this.#isInText = false
    this.#state = INSIDE
  }

  /** Through a value with brackets to its end, whatever is in it. */
  #inside(chunk: Buffer, from: number): number {
    let at = from
    while (at < chunk.length) {
      if (this.#isInText) {
        const end = this.#endOfText(chunk, at)
        if (end === -1) {
          at = chunk.length
          break
        }
        this.#isInText = false
        at = end + 1
        continue
      }
      const byte = chunk[at]
      at += 1
      if (byte === QUOTE) {
        this.#isInText = true
        this.#isEscaped = false
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#depth += 1
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        this.#depth -= 1
        if (this.#depth === 0) break
      }
    }
    if (this.#isCopied) this.#out.copy(chunk, from, at)
    if (this.#depth === 0) {
      this.#isInText = false
      if (this.#isCopied && this.#node?.isObject === true) this.#finishObject()
      this.#finishValue()
    }
    return at
  }

  /** Where the text that `from` is within ends, at its quote; -1: not in this piece. */
  #endOfText(chunk: Buffer, from: number): number {
    let at = from
    for (;;) {
      const quote = chunk.indexOf(QUOTE, at)
      const end = quote === -1 ? chunk.length : quote
      let first = end
      while (first > from && chunk[first - 1] === BACKSLASH) first -= 1
      const before = first === from && this.#isEscaped ? 1 : 0
      const isEscaped = (end - first + before) % 2 === 1
      if (quote === -1 || !isEscaped) {
        this.#isEscaped = quote === -1 && isEscaped
        return quote
      }
      at = quote + 1
    }
  }
}
