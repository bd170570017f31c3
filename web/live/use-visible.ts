import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

import { type Rows, visibleRows } from '../model/visible.ts'

type LongList = {
  readonly list: RefObject<HTMLElement | null>
  readonly count: number
  readonly rowHeight: number
}

/** Which rows of a list to draw, as the page is scrolled. */
export function useVisible({ list, count, rowHeight }: LongList): Rows {
  const [{ scrolled, height }, setViewport] = useState({ scrolled: 0, height: innerHeight })

  useEffect(() => {
    let asked = 0
    const measure = (): void => {
      asked = 0
      // In steps of a row: within a row nothing else has to be drawn.
      const top = -(list.current?.getBoundingClientRect().top ?? 0)
      const next = { scrolled: Math.floor(top / rowHeight) * rowHeight, height: innerHeight }
      setViewport((old) =>
        old.scrolled === next.scrolled && old.height === next.height ? old : next,
      )
    }
    const ask = (): void => {
      if (asked === 0) asked = requestAnimationFrame(measure)
    }
    const above = new ResizeObserver(ask) // what is above may grow and push the list down
    above.observe(document.body)
    addEventListener('scroll', ask, { passive: true })
    addEventListener('resize', ask)
    return () => {
      cancelAnimationFrame(asked)
      above.disconnect()
      removeEventListener('scroll', ask)
      removeEventListener('resize', ask)
    }
  }, [rowHeight])

  return visibleRows(count, rowHeight, { scrolled, height })
}
