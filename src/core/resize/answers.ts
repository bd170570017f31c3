/** What the API server's refusal of a resize means, and what to do about it. */
import { type AnswerRow, answerRows } from './answer-rows.ts'
import type { ResizeReason } from './types.ts'

export type Answer = {
  /** HTTP status code. */
  readonly code: number
  /** The server's own words. */
  readonly said: string
  readonly causes: readonly { readonly reason: string; readonly message: string }[]
}

export type Refusal = {
  readonly reason: ResizeReason
  readonly message: string
  /** Whether these values are kept in mind as refused. */
  readonly remember: boolean
  /**
   * never-same: not these values while nothing has changed. later: they may well go through. conflict:
   * what was known is out of date, so look and decide anew.
   */
  readonly retry: 'never-same' | 'later' | 'conflict'
}

type Meaning = Pick<AnswerRow, 'reason' | 'words' | 'retry'>

/** Such as trouble of its own: it may go through later. */
const other: Meaning = {
  reason: 'Resizing',
  words: 'the API server could not do it',
  retry: 'later',
}

export function readRefusal({ code, said, causes }: Answer): Refusal {
  const texts = [said, ...causes.map(({ message }) => message)]
  const fits = (row: AnswerRow): boolean =>
    row.code === code &&
    (row.text === undefined ||
      causes.some(({ reason }) => reason === row.cause) ||
      texts.some((text) => row.text?.test(text)))
  const { reason, words, retry } = answerRows.find(fits) ?? other
  const message = `${words}; it said: ${said}`
  return { reason, message, remember: retry === undefined, retry: retry ?? 'never-same' }
}
