/** What comes in and what goes out, whatever carries it. */
import { Refusal, statusOf } from '../refusal.ts'

export type Headers = Readonly<Record<string, string | undefined>>

export type Request = {
  readonly method: string
  /** With the query. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Headers
  readonly body?: Uint8Array | string | undefined
}

export type Whole = {
  readonly kind: 'whole'
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/** Takes an event's bytes; false if it is too slow to take more. */
export type Send = (chunk: Uint8Array) => boolean

export type Stream = {
  readonly kind: 'stream'
  readonly status: number
  readonly headers: Headers
  /** `end` is called when the server has no more to say, with an error if the connection is to break. */
  readonly start: (to: { readonly send: Send; readonly end: (error?: Error) => void }) => {
    readonly stop: () => void
  }
}

export type Answer =
  | Whole
  | Stream
  /** No answer: the connection breaks. */
  | { readonly kind: 'broken'; readonly why: string }
  | { readonly kind: 'later'; readonly millis: number; readonly act: () => Answer }

const json = { 'content-type': 'application/json', 'cache-control': 'no-cache, private' }

/** `warnings` are texts of their own; their quotes are escaped. */
export const jsonAnswer = (
  status: number,
  body: string,
  warnings: readonly string[] = [],
): Whole => ({
  kind: 'whole',
  status,
  headers: warnings.length === 0 ? json : { ...json, warning: warningHeader(warnings) },
  body,
})

export const textAnswer = (status: number, body: string): Whole => ({
  kind: 'whole',
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body,
})

export function refusalAnswer(refusal: Refusal): Whole {
  const seconds = refusal.details?.retryAfterSeconds
  const answer = jsonAnswer(refusal.code, JSON.stringify(statusOf(refusal)))
  if (seconds === undefined) return answer
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(seconds) } }
}

export function withWarning(answer: Answer, text: string): Answer {
  if (answer.kind !== 'whole' && answer.kind !== 'stream') return answer
  const others = answer.headers['warning']
  const warning = [warningHeader([text]), ...(others === undefined ? [] : [others])].join(', ')
  return { ...answer, headers: { ...answer.headers, warning } }
}

/** RFC 7234: code 299 is a persistent warning, `-` stands for who warns. */
const warningHeader = (warnings: readonly string[]): string =>
  warnings
    .map((text) => text.replaceAll(CONTROLS, ' ').slice(0, LONGEST_WARNING))
    .map((text) => `299 - "${text.replaceAll(/["\\]/g, '\\$&')}"`)
    .join(', ')
    .slice(0, LONGEST_WARNINGS)

/** No header may have them. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f]/g
/** Clients take so many bytes of headers; a name of a field may have millions. */
const LONGEST_WARNING = 1024
const LONGEST_WARNINGS = 8192
