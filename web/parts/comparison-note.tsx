import { useHref } from '../live/page.ts'
import { isWorkedOut, useComparison } from '../live/use-comparison.ts'
import { ratio } from '../model/format.ts'

/** What the comparison says, in short, with the way to all of it; nothing where there is none. */
export function ComparisonNote() {
  const href = useHref()
  const { view } = useComparison()
  if (view === undefined) return null
  return (
    <section aria-labelledby="comparison-title">
      <h2 id="comparison-title">Against others, on the same load</h2>
      {isWorkedOut(view) ? (
        <ul>
          {view.arms.length === 0 &&
            view.verdicts.map((verdict) => <li key={verdict}>{verdict}</li>)}
          {view.arms.map(({ name, sloViolationRatio, promisedCores }) => (
            <li key={name}>
              <b>{name}</b>
              {` missed ${ratio(sloViolationRatio)} of SLO windows, promised ${promisedCores.toFixed(1)} cores`}
            </li>
          ))}
        </ul>
      ) : (
        <p class="muted">{`Being worked out: ${ratio(view.progress ?? 0)} done.`}</p>
      )}
      <p>
        <a href={href({ view: 'comparison' })}>The comparison</a>
      </p>
    </section>
  )
}
