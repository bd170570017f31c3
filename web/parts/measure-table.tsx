import type { ArmResult } from '../../src/apis/dashboard.ts'
import { type Figure, figures, leadersIn, showFigure } from '../../src/core/comparison/figures.ts'
import { armColour } from './arm-colour.ts'

/** A row an arm, a column a figure; the best of each is marked in words too. */
export function MeasureTable({ arms }: { readonly arms: readonly ArmResult[] }) {
  return (
    <div class="wide" tabIndex={0} role="region" aria-label="figures of each arm">
      <table class="measures">
        <thead>
          <tr>
            <th scope="col">arm</th>
            {figures.map(({ what }) => (
              <th key={what} scope="col">
                {what}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {arms.map((arm) => (
            <tr key={arm.name}>
              <th scope="row">
                <i class="swatch" style={{ background: `var(--${armColour(arm.name)})` }} />
                {arm.name}
              </th>
              {figures.map((figure) => (
                <Cell key={figure.what} figure={figure} arm={arm} arms={arms} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type CellProps = {
  readonly figure: Figure
  readonly arm: ArmResult
  readonly arms: readonly ArmResult[]
}

function Cell({ figure, arm, arms }: CellProps) {
  const most = Math.max(...arms.map((other) => figure.read(other) ?? 0))
  const isBest = leadersIn(figure, arms).includes(arm)
  const share = most > 0 ? (figure.read(arm) ?? 0) / most : 0
  return (
    <td class={isBest ? 'is-best' : ''}>
      {showFigure(figure, arm)}
      {isBest && <small>best</small>}
      <i
        class="measure-bar"
        style={{
          width: `${(share * 100).toFixed(1)}%`,
          background: `var(--${armColour(arm.name)})`,
        }}
      />
    </td>
  )
}
