import { usePage } from '../live/page.ts'
import { clock, isRange, ranges, span } from '../model/time.ts'

type Props = { readonly onPause: (() => void) | undefined }

/** Which stretch of time, and whether it goes on. */
export function TimeControls({ onPause }: Props) {
  const { address, change } = usePage()
  const { still, range } = address
  const choose = (name: string): void => {
    if (isRange(name)) change({ range: name, still: undefined, moment: undefined })
  }
  return (
    <div class="time-controls" role="group" aria-label="time">
      {still && <span class="stretch">{`${clock(still.from)} – ${clock(still.to)}`}</span>}
      <label>
        <span class="unseen">time range</span>
        <select value={range} onChange={({ currentTarget: { value } }) => choose(value)}>
          {Object.entries(ranges).map(([name, millis]) => (
            <option key={name} value={name}>{`last ${span(millis)}`}</option>
          ))}
        </select>
      </label>
      <button
        type="button"
        class={still ? 'live' : 'live is-live'}
        disabled={onPause === undefined}
        title={still ? 'Back to now (p)' : 'Stand still (p)'}
        onClick={() => onPause?.()}
      >
        {still ? 'Live' : 'Pause'}
      </button>
    </div>
  )
}
