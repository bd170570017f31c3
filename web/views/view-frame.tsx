/** What is around every view: its title, the state of the connection, and what stands in for it. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

import { usePage } from '../live/page.ts'
import { useKeys } from '../live/use-keys.ts'
import type { Shown } from '../live/use-view.ts'
import { goTo, type Place } from '../model/address.ts'
import { clock } from '../model/time.ts'
import { LinkState } from '../parts/link-state.tsx'
import { Failed, Skeleton } from '../parts/states.tsx'

type Props<View> = {
  readonly title: string
  /** Beside the title. */
  readonly beside?: (view: View) => ComponentChildren
  readonly shown: Shown<View>
  readonly children: (view: View) => ComponentChildren
  /** What time it is in the cluster. */
  readonly now?: number | undefined
  /** Where Esc leads. */
  readonly up?: Place | undefined
}

export function ViewFrame<View>(props: Props<View>) {
  const { title, beside, shown, children, now, up = { view: 'cluster' } } = props
  const { view, link, problem, goneAt } = shown
  const { address, change, tellNow } = usePage()
  const heading = useRef<HTMLHeadingElement>(null)

  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [])
  useEffect(() => void (document.title = `${title} · MBCAS`), [title])
  useEffect(() => tellNow(now), [now])
  useKeys({ Escape: () => change(goTo(address, up)) })

  return (
    <main class={link.state === 'lost' ? 'is-stale' : ''}>
      <div class="title">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {view !== undefined && beside?.(view)}
      </div>
      <LinkState link={link} />
      {goneAt !== undefined && (
        <p class="lost" role="status">
          <b>Gone</b> {`since ${clock(goneAt)}. What you see is the last that was known.`}
        </p>
      )}
      {problem !== undefined ? (
        <Failed what={title} problem={problem} />
      ) : view === undefined ? (
        <Skeleton />
      ) : (
        children(view)
      )}
    </main>
  )
}
