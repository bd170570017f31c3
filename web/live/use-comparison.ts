import { useEffect, useState } from 'preact/hooks'

import type { ComparisonView } from '../../src/apis/dashboard.ts'
import { getJson, Refused } from './get-json.ts'
import type { Shown } from './use-view.ts'

const AGAIN_MILLIS = 2000

export const isWorkedOut = ({ progress = 1 }: ComparisonView): boolean => progress >= 1

/** Asked for again and again until it is worked out. */
export function useComparison(): Shown<ComparisonView> {
  const [shown, setShown] = useState<Shown<ComparisonView>>({ link: { state: 'connecting' } })

  useEffect(() => {
    const leaving = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (): Promise<void> => {
      try {
        const view = await getJson<ComparisonView>('api/comparison', leaving.signal)
        setShown({ view, link: { state: 'live' } })
        if (isWorkedOut(view)) return
      } catch (error) {
        if (leaving.signal.aborted) return
        if (error instanceof Refused) {
          const { status, message } = error
          return setShown({ link: { state: 'live' }, problem: { status, message } })
        }
        setShown((old) => ({ ...old, link: lost(old.link) }))
      }
      timer = setTimeout(() => void ask(), AGAIN_MILLIS)
    }
    void ask()
    return () => {
      leaving.abort()
      clearTimeout(timer)
    }
  }, [])
  return shown
}

const lost = (link: Shown<unknown>['link']): Shown<unknown>['link'] =>
  link.state === 'lost' ? link : { state: 'lost', since: Date.now() }
