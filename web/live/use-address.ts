import { useCallback, useEffect, useState } from 'preact/hooks'

import { type Address, readAddress, writeAddress } from '../model/address.ts'
import type { Span } from '../model/time.ts'

export type Navigation = {
  readonly address: Address
  readonly change: (part: Partial<Address>) => void
  /** As `change`, without a step for the back button: for what is typed. */
  readonly amend: (part: Partial<Address>) => void
  readonly zoom: (still: Span) => void
  /** Back from the last zoom; to live if it was not made here. */
  readonly unzoom: () => void
}

export function useAddress(): Navigation {
  const [address, setAddress] = useState(() => readAddress(location.hash))

  useEffect(() => {
    const read = (): void => setAddress(readAddress(location.hash))
    addEventListener('popstate', read)
    addEventListener('hashchange', read)
    return () => {
      removeEventListener('popstate', read)
      removeEventListener('hashchange', read)
    }
  }, [])

  const step = useCallback((part: Partial<Address>, write: (hash: string) => void) => {
    const next = { ...readAddress(location.hash), ...part }
    const hash = writeAddress(next)
    if (hash === location.hash) return
    write(hash)
    setAddress(next)
  }, [])
  const change = useCallback(
    (part: Partial<Address>) => step(part, (hash) => history.pushState(null, '', hash)),
    [],
  )
  const amend = useCallback(
    (part: Partial<Address>) => step(part, (hash) => history.replaceState(null, '', hash)),
    [],
  )
  const zoom = useCallback(
    (still: Span) => step({ still }, (hash) => history.pushState({ isZoom: true }, '', hash)),
    [],
  )
  const unzoom = useCallback(() => {
    const state = history.state as { readonly isZoom?: boolean } | null
    if (state?.isZoom) history.back()
    else change({ still: undefined, moment: undefined })
  }, [])

  return { address, change, amend, zoom, unzoom }
}
