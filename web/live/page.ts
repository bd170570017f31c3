/** What every part of the page may need: where it is, and what it knows of the cluster. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

import type { About } from '../../src/apis/dashboard.ts'
import type { Place } from '../model/address.ts'
import { goTo, home, writeAddress } from '../model/address.ts'
import { ranges, type Span } from '../model/time.ts'
import type { Navigation } from './use-address.ts'

export type Page = Navigation & {
  readonly about?: About | undefined
  /** Charts are drawn anew when it changes: a canvas does not follow the style sheet. */
  readonly isDark: boolean
  /** What time it is in the cluster, which may be a fast one; undefined where it does not matter. */
  readonly tellNow: (now: number | undefined) => void
}

export const PageContext = createContext<Page>({
  address: home,
  change: () => {},
  amend: () => {},
  zoom: () => {},
  unzoom: () => {},
  isDark: false,
  tellNow: () => {},
})

export const usePage = (): Page => useContext(PageContext)

/** The address of a place, at the time that is shown now. */
export function useHref(): (place: Place) => string {
  const { address } = usePage()
  return (place) => writeAddress(goTo(address, place))
}

/** The stretch of time that the charts show. */
export function useSpan(now: number): Span {
  const { still, range } = usePage().address
  return still ?? { from: now - ranges[range], to: now }
}
