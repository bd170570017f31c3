import { useEffect, useState } from 'preact/hooks'

import type { Span } from '../model/time.ts'
import { getJson, Refused } from './get-json.ts'
import { type Link, openStream, type Problem, type Source } from './stream.ts'

export type Shown<View> = {
  readonly view?: View | undefined
  readonly link: Link
  readonly problem?: Problem | undefined
  /** Since when what is shown is no longer there. */
  readonly goneAt?: number | undefined
}
type Kept<View> = Shown<View> & { readonly path: string }

const AGAIN_MILLIS = 2000

/** Follows a view; for a fixed stretch of time it is asked for once, and stands still. */
export function useView<View, Patch>(
  { path, merge }: Source<View, Patch>,
  still: Span | undefined,
): Shown<View> {
  const fresh: Kept<View> = { path, link: { state: 'connecting' } }
  const [kept, setKept] = useState(fresh)
  const { from, to } = still ?? {}

  useEffect(() => {
    const keep = (change: Partial<Shown<View>>): void =>
      setKept((old) => ({ ...(old.path === path ? old : fresh), ...change }))
    if (from === undefined || to === undefined) {
      return openStream(
        { path, merge },
        {
          onView: (view) => keep({ view, problem: undefined, goneAt: undefined }),
          onLink: (link) => keep({ link }),
          onProblem: (problem) => keep({ problem }),
          onGone: (goneAt) => keep({ goneAt }),
        },
      )
    }
    const leaving = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (): Promise<void> => {
      try {
        const view = await getJson<View>(`api/${path}?from=${from}&to=${to}`, leaving.signal)
        keep({ view, link: { state: 'still' }, problem: undefined })
      } catch (error) {
        if (leaving.signal.aborted) return
        if (error instanceof Refused) {
          return keep({ problem: { status: error.status, message: error.message } })
        }
        keep({ link: { state: 'lost', since: Date.now() } })
        timer = setTimeout(() => void ask(), AGAIN_MILLIS)
      }
    }
    void ask()
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [path, from, to])

  return kept.path === path ? kept : fresh
}
