/** What happened? */
import { useState } from 'preact/hooks'

import type { EventFeed } from '../../src/apis/dashboard.ts'
import { usePage } from '../live/page.ts'
import { useView } from '../live/use-view.ts'
import { chooseEvents, type Kind, kinds } from '../model/events.ts'
import { whole } from '../model/format.ts'
import { Chips } from '../parts/chips.tsx'
import { Happenings } from '../parts/happenings.tsx'
import { Empty } from '../parts/states.tsx'
import { eventsSource } from './sources.ts'
import { ViewFrame } from './view-frame.tsx'

const AT_ONCE = 200

export function EventsView() {
  const shown = useView(eventsSource, usePage().address.still)
  return (
    <ViewFrame title="Events" shown={shown} now={shown.view?.at}>
      {(view: EventFeed) => <Contents view={view} />}
    </ViewFrame>
  )
}

function Contents({ view: { at, events } }: { readonly view: EventFeed }) {
  const { address, amend, change } = usePage()
  const { text = '', only, still } = address
  const [most, setMost] = useState(AT_ONCE)
  const counts = new Map<Kind, number>()
  for (const { kind } of chooseEvents(events, { only: [], text, within: still })) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  const wanted = chooseEvents(events, { only, text, within: still })
  return (
    <>
      <div class="bar">
        <Chips label="kinds" options={kinds} counts={counts} />
        <input
          type="search"
          class="filter"
          placeholder="Only with this text"
          aria-label="only events with this text"
          value={text}
          onInput={({ currentTarget: { value } }) => amend({ text: value })}
        />
        <span class="muted">{`${whole(wanted.length)} of ${whole(events.length)}`}</span>
      </div>
      {wanted.length > 0 ? (
        <Happenings events={wanted.slice(0, most)} now={at} />
      ) : events.length === 0 ? (
        <Empty title="Nothing has happened yet.">
          Decisions of the market, who suffers or is held back, and resizes show up here as they
          happen.
        </Empty>
      ) : (
        <Empty title="No event fits.">
          <button
            type="button"
            class="quiet"
            onClick={() => change({ text: undefined, only: [], still: undefined })}
          >
            Show all events
          </button>
        </Empty>
      )}
      {wanted.length > most && (
        <button type="button" class="quiet" onClick={() => setMost(most + AT_ONCE)}>
          {`Show older ones, ${whole(wanted.length - most)} left`}
        </button>
      )}
    </>
  )
}
