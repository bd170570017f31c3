import type { Happening } from '../../src/apis/dashboard.ts'
import { partsOf } from '../model/sentence.ts'
import { NodeLink, PodLink } from './object-links.tsx'
import { When } from './when.tsx'

type Props = { readonly events: readonly Happening[]; readonly now: number }

/** Each a sentence, with the objects as links. */
export const Happenings = ({ events, now }: Props) => (
  <ol class="happenings">
    {events.map((event) => (
      <li key={event.id}>
        <When at={event.at} now={now} />
        <span class={`kind kind-${event.kind}`}>{event.kind}</span>
        <Sentence event={event} />
      </li>
    ))}
  </ol>
)

function Sentence({ event }: { readonly event: Happening }) {
  const parts = partsOf(event)
  const first = parts.findIndex(({ is }) => is !== 'text')
  return (
    <span class="sentence">
      {parts.map(({ text, is }, i) => {
        if (is === 'text') return text
        const ObjectLink = is === 'pod' ? PodLink : NodeLink
        return <ObjectLink key={i} name={text} isRow={i === first} />
      })}
    </span>
  )
}
