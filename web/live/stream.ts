/**
 * A view that follows the server: whole at first, then by patches. It is opened again whenever it
 * breaks or falls silent, and starts from a whole view each time, so nothing missed stays missed.
 */
import { getJson, Refused } from './get-json.ts'

export type Link =
  | { readonly state: 'connecting' | 'live' | 'still' }
  /** Milliseconds since 1970, of this machine's clock. */
  | { readonly state: 'lost'; readonly since: number }

/** Something that trying again does not mend. */
export type Problem = { readonly status: number; readonly message: string }

export type Source<View, Patch> = {
  /** Below `api/` and `api/live/`. */
  readonly path: string
  readonly merge: (view: View, patch: Patch) => View
}

type Listener<View> = {
  readonly onView: (view: View) => void
  readonly onLink: (link: Link) => void
  readonly onProblem: (problem: Problem) => void
  /** It is no longer there; a view follows if it comes back. */
  readonly onGone: (at: number) => void
}

/** The server beats every 10 s at least. */
const SILENT_MILLIS = 15_000
const RETRY_MILLIS = [500, 1000, 2000, 5000] as const

export function openStream<View, Patch>(
  { path, merge }: Source<View, Patch>,
  { onView, onLink, onProblem, onGone }: Listener<View>,
): () => void {
  let view: View | undefined
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let lostSince: number | undefined
  let isClosed = false

  const wait = (millis: number, then: () => void): void => {
    clearTimeout(timer)
    timer = setTimeout(then, millis)
  }

  const hear = (): void => {
    if (lostSince !== undefined || failures > 0 || view === undefined) onLink({ state: 'live' })
    lostSince = undefined
    failures = 0
    wait(SILENT_MILLIS, lose)
  }

  const lose = (): void => {
    source?.close()
    if (lostSince === undefined) {
      lostSince = Date.now()
      onLink({ state: 'lost', since: lostSince })
    }
    const millis = RETRY_MILLIS[Math.min(failures, RETRY_MILLIS.length - 1)] ?? 0
    failures += 1
    wait(millis, open)
    void askWhy()
  }

  /** An EventSource does not say why it failed; the plain view does. */
  const askWhy = async (): Promise<void> => {
    try {
      await getJson(`api/${path}`)
    } catch (error) {
      const isAnswer = error instanceof Refused && error.status < 500
      if (isAnswer && !isClosed) onProblem({ status: error.status, message: error.message })
    }
  }

  const open = (): void => {
    source = new EventSource(`api/live/${path}`)
    source.addEventListener('view', ({ data }: MessageEvent<string>) => {
      hear()
      view = JSON.parse(data) as View
      onView(view)
    })
    source.addEventListener('patch', ({ data }: MessageEvent<string>) => {
      hear()
      if (view === undefined) return
      view = merge(view, JSON.parse(data) as Patch)
      onView(view)
    })
    source.addEventListener('gone', ({ data }: MessageEvent<string>) => {
      hear()
      onGone((JSON.parse(data) as { readonly at: number }).at)
    })
    source.addEventListener('beat', hear)
    source.addEventListener('error', lose)
  }

  open()
  wait(SILENT_MILLIS, lose)
  return () => {
    isClosed = true
    clearTimeout(timer)
    source?.close()
  }
}
