/** A watch is one JSON document a line; chunks end anywhere, also within a character. */
import type { KubeObject } from '../../apis/object.ts'
import { ConnectionFailed, type WatchEvent } from '../../ports/kube.ts'
import { apiErrorOf, type Status } from './answers.ts'

const newline = 0x0a

/** Splits bytes before it decodes them: no byte of a longer UTF-8 character is a newline. */
export function lineSplitter() {
  let begun: Uint8Array[] = []
  return {
    push: (chunk: Uint8Array): string[] => {
      const lines: string[] = []
      let start = 0
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        begun.push(chunk.subarray(start, end))
        lines.push(decode(begun))
        begun = []
        start = end + 1
      }
      if (start < chunk.length) begun.push(chunk.subarray(start))
      return lines
    },
    /** What came after the last newline. */
    rest: (): string => decode(begun),
  }
}

function decode(parts: readonly Uint8Array[]): string {
  const [only] = parts
  if (parts.length !== 1 || only === undefined) return Buffer.concat(parts).toString('utf8')
  return Buffer.from(only.buffer, only.byteOffset, only.byteLength).toString('utf8')
}

/** `request` names it in errors. */
export async function* watchEvents<T extends KubeObject>(
  chunks: AsyncIterable<Uint8Array>,
  request: string,
): AsyncGenerator<WatchEvent<T>> {
  const splitter = lineSplitter()
  for await (const chunk of chunks) {
    for (const line of splitter.push(chunk)) {
      if (line.trim() !== '') yield parseEvent<T>(line, request)
    }
  }
  const rest = splitter.rest()
  if (rest.trim() !== '') yield parseEvent<T>(rest, request)
}

type Sent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly object: KubeObject }
  | { readonly type: 'ERROR'; readonly object: Status }

function parseEvent<T extends KubeObject>(line: string, request: string): WatchEvent<T> {
  const event = parseLine<T>(line, request)
  switch (event.type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return event
    case 'BOOKMARK':
      return { type: 'BOOKMARK', resourceVersion: event.object.metadata.resourceVersion ?? '' }
    case 'ERROR':
      throw apiErrorOf(event.object, { request })
    default:
      throw garbled(`${request}: expected an event, got ${line.slice(0, 100)}`)
  }
}

function parseLine<T>(line: string, request: string): Sent<T> {
  try {
    return JSON.parse(line) as Sent<T>
  } catch (error) {
    throw garbled(`${request}: the watch broke off within an event: ${line.slice(0, 100)}`, error)
  }
}

const garbled = (message: string, cause?: unknown): ConnectionFailed =>
  new ConnectionFailed(message, { sent: true, passing: true, cause })
