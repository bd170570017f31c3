import { useEffect, useState } from 'preact/hooks'

import type { Link } from '../live/stream.ts'
import { clock, span } from '../model/time.ts'

/** Says that what is shown is old, since when, and that somebody is at it; else nothing. */
export function LinkState({ link }: { readonly link: Link }) {
  const since = link.state === 'lost' ? link.since : undefined
  return (
    <div class="link-state" aria-live="polite">
      {since !== undefined && (
        <p class="lost">
          <b>Disconnected</b> {`since ${clock(since)}`}
          <Elapsed since={since} />. What you see is from before. Retrying.
        </p>
      )}
    </div>
  )
}

/** Not read out: every second would be too often. */
function Elapsed({ since }: { readonly since: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(ticking)
  }, [])
  return <span aria-hidden="true">{` (${span(Math.max(0, now - since))})`}</span>
}
