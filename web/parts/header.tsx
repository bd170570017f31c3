import type { RefObject } from 'preact'

import { useHref, usePage } from '../live/page.ts'
import type { Theme } from '../live/theme.ts'
import { Search } from './search.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import { TimeControls } from './time-controls.tsx'

type Props = {
  /** Stands still, or goes on; undefined while there is no time to stand still at. */
  readonly onPause: (() => void) | undefined
  readonly searchInput: RefObject<HTMLInputElement | null>
  readonly onHelp: () => void
  readonly onTheme: (theme: Theme) => void
}

export function Header({ onPause, searchInput, onHelp, onTheme }: Props) {
  const { about } = usePage()
  return (
    <>
      <header class="page-header">
        <a class="brand" href="#/">
          MBCAS
        </a>
        <nav aria-label="views">
          <Tab view="cluster">{about?.cluster ?? 'Cluster'}</Tab>
          <Tab view="events">Events</Tab>
          {about?.scenario !== undefined && <Tab view="comparison">Comparison</Tab>}
        </nav>
        <Search input={searchInput} />
        <TimeControls onPause={onPause} />
        <ThemeSwitch onChange={onTheme} />
        <button
          type="button"
          class="icon-button"
          aria-label="help"
          title="Help (?)"
          onClick={onHelp}
        >
          ?
        </button>
      </header>
      <ModeNote />
    </>
  )
}

/** Without it the figures would look as if they were acted on. */
const ModeNote = () => {
  const note = usePage().about?.settings?.note
  return (
    <div class="mode-note" role="status">
      {note !== undefined && <p>{note}</p>}
    </div>
  )
}

type TabProps = { readonly view: 'cluster' | 'events' | 'comparison'; readonly children: string }

function Tab({ view, children }: TabProps) {
  const href = useHref()
  const { place } = usePage().address
  return (
    <a href={href({ view })} aria-current={place.view === view ? 'page' : undefined}>
      {children}
    </a>
  )
}
