import type { PodDetail } from '../../src/apis/dashboard.ts'
import { since } from '../model/decisions.ts'
import { cpu, money } from '../model/format.ts'

/** What it bid and got, and what has changed since MBCAS has a say. */
export function BidPanel({ view: { bid, row, original, state } }: { readonly view: PodDetail }) {
  return (
    <section aria-labelledby="bid-title">
      <h2 id="bid-title">Bid</h2>
      {bid === undefined ? (
        <p class="muted">
          {row.isManaged ? 'It has not bid yet.' : 'It takes no part in the market.'}
        </p>
      ) : (
        <>
          <p>
            {`It bid for ${cpu(bid.need)}, at least ${cpu(bid.floor)}, at most ${hasCeiling(bid) ? '' : 'the '}${mostOf(bid)}, with a bid weight of ${money(bid.weight)}. `}
            {`It got ${cpu(bid.gets)}`}
            {bid.paid === undefined ? '.' : ` and pays ${money(bid.paid)} an hour.`}
          </p>
          <p>{enforcedIn(bid)}</p>
          <BidScale bid={bid} />
        </>
      )}
      {original !== undefined && (
        <p>
          {`Request ${since(original.request, row.request)}, limit ${since(original.limit, row.limit)} since MBCAS manages it.`}
        </p>
      )}
      {state !== undefined && (
        <p title={state.message}>
          <span class="muted">Allocation:</span> {state.phase}{' '}
          <span class="muted">{state.reason}</span>
          <br />
          <span class="muted">{state.message}</span>
        </p>
      )}
    </section>
  )
}

type Bid = NonNullable<PodDetail['bid']>

/** Somebody set it; else it is what the node has. */
const hasCeiling = ({ ceilingByHand, isStrict = false }: Bid): boolean =>
  isStrict || ceilingByHand !== undefined

export const mostOf = (bid: Bid): string =>
  `${hasCeiling(bid) ? '' : 'whole node '}${cpu(bid.ceiling)}`

/** How the kernel is made to give it that. */
const enforcedIn = ({ isStrict = false, entitled }: Bid): string =>
  isStrict
    ? 'Strict: its limit is its share, and the kernel enforces it as a quota.'
    : `Elastic: the kernel shares CPU by weight, so what others leave is there for it. ${cpu(entitled)} is its own, whatever other namespaces want.`

/** Floor, need and what it got, from nothing to the ceiling. */
function BidScale({ bid }: { readonly bid: Bid }) {
  const { floor, need, ceiling, gets } = bid
  const place = (amount: number): string =>
    `${(ceiling > 0 ? Math.min(1, amount / ceiling) * 100 : 0).toFixed(1)}%`
  return (
    <div class="bid-scale" role="img" aria-label={`got ${cpu(gets)} of a need of ${cpu(need)}`}>
      <i class="bid-gets" style={{ width: place(gets) }} />
      <i class="bid-tick" style={{ left: place(floor) }} title={`floor ${cpu(floor)}`} />
      <i class="bid-tick bid-need" style={{ left: place(need) }} title={`need ${cpu(need)}`} />
      <span class="bid-end">{hasCeiling(bid) ? `ceiling ${cpu(ceiling)}` : mostOf(bid)}</span>
    </div>
  )
}
