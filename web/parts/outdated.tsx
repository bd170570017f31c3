import type { Ordered } from '../live/use-order.ts'

type Props = {
  readonly ordered: Pick<Ordered<unknown>, 'isOutdated' | 'sortAgain'>
  readonly what: string
}

/** Rows do not jump by themselves: this offers to sort them anew. Its room is kept. */
export const Outdated = ({ ordered: { isOutdated, sortAgain }, what }: Props) => (
  <button type="button" class={isOutdated ? 'quiet' : 'quiet is-hidden'} onClick={sortAgain}>
    {`Sort again ${what}`}
  </button>
)
