import { useState } from 'preact/hooks'

import type { PodDecision } from '../../src/apis/dashboard.ts'
import { usePage } from '../live/page.ts'
import { writeAddress } from '../model/address.ts'
import { changeOf } from '../model/decisions.ts'
import { around, ranges } from '../model/time.ts'
import { When } from './when.tsx'

type Props = { readonly decisions: readonly PodDecision[]; readonly now: number }

const AT_FIRST = 12
const MORE = 50

/** Every decision in words, each linked to its moment in the charts. */
export function Decisions({ decisions, now }: Props) {
  const { address } = usePage()
  const [shown, setShown] = useState(AT_FIRST)
  const linkTo = (moment: number): string =>
    writeAddress({ ...address, moment, still: around(moment, ranges['5m']) })
  return (
    <section aria-labelledby="decisions-title">
      <h2 id="decisions-title">Decisions</h2>
      {decisions.length === 0 && (
        <p class="muted">None yet: the first comes with the next clearing of its node's market.</p>
      )}
      <ol class="decisions">
        {decisions.slice(0, shown).map((decision, i) => (
          <li
            key={`${decision.at} ${decision.reason}`}
            aria-current={address.moment === decision.at ? 'true' : undefined}
          >
            <a href={linkTo(decision.at)} data-row title="Show this moment in the charts">
              <When at={decision.at} now={now} />
            </a>
            <span>
              {decision.urgency === 'guardrail' && <span class="kind kind-suffering">urgent</span>}
              <b>{changeOf(decision, decisions[i + 1])}</b>
              <br />
              {decision.reason}
            </span>
          </li>
        ))}
      </ol>
      {decisions.length > shown && (
        <button type="button" class="quiet" onClick={() => setShown(shown + MORE)}>
          {`Show older ones, ${decisions.length - shown} left`}
        </button>
      )}
    </section>
  )
}
