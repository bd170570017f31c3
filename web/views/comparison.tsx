/** Is it better than what others do, on the same load? */
import type { ArmResult, ComparisonView as View } from '../../src/apis/dashboard.ts'
import { Chart } from '../charts/chart.tsx'
import type { Line } from '../charts/line.ts'
import { isWorkedOut, useComparison } from '../live/use-comparison.ts'
import { ratio, whole } from '../model/format.ts'
import { armColour } from '../parts/arm-colour.ts'
import { MeasureTable } from '../parts/measure-table.tsx'
import { Empty } from '../parts/states.tsx'
import { WorkloadTable } from '../parts/workload-table.tsx'
import { ViewFrame } from './view-frame.tsx'

export function ComparisonView() {
  const shown = useComparison()
  if (shown.problem?.status === 404) {
    return (
      <ViewFrame title="Comparison" shown={{ ...shown, view: {}, problem: undefined }}>
        {() => (
          <Empty title="Nothing is compared here.">
            A comparison belongs to a scenario: <code>npm start</code> shows one, and{' '}
            <code>mbcas simulate -f FILE</code> works one out in the terminal.
          </Empty>
        )}
      </ViewFrame>
    )
  }
  return (
    <ViewFrame
      title="Comparison"
      beside={({ scenario }: View) => (
        <p class="muted">{`scenario ${scenario}, the same load for each`}</p>
      )}
      shown={shown}
    >
      {(view: View) => <Contents view={view} />}
    </ViewFrame>
  )
}

function Contents({ view }: { readonly view: View }) {
  const { arms, verdicts, progress = 0 } = view
  return (
    <>
      {!isWorkedOut(view) && (
        <p>
          <label>
            {`Being worked out, beside what runs: ${ratio(progress)} `}
            <progress value={progress} max={1} />
          </label>
        </p>
      )}
      {arms.length > 0 && (
        <>
          <MeasureTable arms={arms} />
          <Plots arms={arms} />
        </>
      )}
      {verdicts.length > 0 && (
        <section aria-labelledby="verdicts-title">
          <h2 id="verdicts-title">In words</h2>
          <ul class="verdicts">
            {verdicts.map((verdict) => (
              <li key={verdict}>{verdict}</li>
            ))}
          </ul>
        </section>
      )}
      {arms.length > 0 && (
        <section aria-labelledby="workloads-title">
          <h2 id="workloads-title">Workloads</h2>
          <WorkloadTable arms={arms} />
        </section>
      )}
    </>
  )
}

const cores: Line['write'] = (value) => (typeof value === 'number' ? value.toFixed(1) : '–')

function Plots({ arms }: { readonly arms: readonly ArmResult[] }) {
  const at = arms.reduce<readonly number[]>(
    (longest, { history }) => (history.at.length > longest.length ? history.at : longest),
    [],
  )
  const span = { from: at[0] ?? 0, to: at.at(-1) ?? 1 }
  const lines = (column: 'promised' | 'violating', write: Line['write']): readonly Line[] =>
    arms.map(({ name, history }) => ({
      name,
      values: at.map((_, i) => history[column][i] ?? null),
      colour: armColour(name),
      write,
      shape: 'steps',
    }))
  return (
    <div class="charts">
      <Chart
        title="Pods that missed their target"
        at={at}
        span={span}
        height={150}
        isApart
        lines={lines('violating', whole)}
      />
      <Chart
        title="CPU promised, in cores"
        at={at}
        span={span}
        height={150}
        hasTimes
        isApart
        lines={lines('promised', cores)}
      />
    </div>
  )
}
