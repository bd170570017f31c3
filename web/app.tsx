import { useEffect, useRef, useState } from 'preact/hooks'

import type { About } from '../src/apis/dashboard.ts'
import { getJson } from './live/get-json.ts'
import { PageContext } from './live/page.ts'
import { keptTheme } from './live/theme.ts'
import { useAddress } from './live/use-address.ts'
import { focusRow, useKeys } from './live/use-keys.ts'
import { useMedia } from './live/use-media.ts'
import type { Place } from './model/address.ts'
import { ranges, zoomed } from './model/time.ts'
import { Header } from './parts/header.tsx'
import { Help } from './parts/help.tsx'
import { ClusterView } from './views/cluster.tsx'
import { ComparisonView } from './views/comparison.tsx'
import { EventsView } from './views/events.tsx'
import { NodeView } from './views/node.tsx'
import { PodView } from './views/pod.tsx'

const ABOUT_MILLIS = 5000

export function App() {
  const navigation = useAddress()
  const { address, change, zoom } = navigation
  const about = useAbout()
  const [now, setNow] = useState<number>()
  const [theme, setTheme] = useState(keptTheme)
  const [isHelping, setHelping] = useState(false)
  const isSystemDark = useMedia('(prefers-color-scheme: dark)')
  const isDark = theme === 'system' ? isSystemDark : theme === 'dark'
  const searchInput = useRef<HTMLInputElement>(null)

  const shown =
    address.still ??
    (now === undefined ? undefined : { from: now - ranges[address.range], to: now })
  const zoomBy = (factor: number): void => {
    if (shown !== undefined) zoom(zoomed(shown, factor))
  }
  const togglePause = (): void =>
    change({ still: address.still === undefined ? shown : undefined, moment: undefined })
  useKeys({
    '/': () => searchInput.current?.focus(),
    '?': () => setHelping(true),
    j: () => focusRow(1),
    k: () => focusRow(-1),
    p: togglePause,
    '+': () => zoomBy(0.5),
    '-': () => zoomBy(2),
  })

  return (
    <PageContext.Provider value={{ ...navigation, about, isDark, tellNow: setNow }}>
      <Header
        onPause={shown && togglePause}
        searchInput={searchInput}
        onHelp={() => setHelping(true)}
        onTheme={setTheme}
      />
      <View place={address.place} />
      <Help isOpen={isHelping} onClose={() => setHelping(false)} />
    </PageContext.Provider>
  )
}

function View({ place }: { readonly place: Place }) {
  if (place.view === 'node') return <NodeView name={place.name} key={place.name} />
  if (place.view === 'pod') return <PodView name={place.key} key={place.key} />
  if (place.view === 'events') return <EventsView />
  return place.view === 'comparison' ? <ComparisonView /> : <ClusterView />
}

/** A scenario's phases go on, and the page may be there before the server: asked for again. */
function useAbout(): About | undefined {
  const [about, setAbout] = useState<About>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (): Promise<void> => {
      try {
        setAbout(await getJson<About>('api/about'))
      } catch {
        // Disconnected, which the view says already.
      }
      timer = setTimeout(() => void ask(), ABOUT_MILLIS)
    }
    void ask()
    return () => clearTimeout(timer)
  }, [])
  return about
}
