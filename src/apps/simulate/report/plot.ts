/**
 * A plot over time that fits any width: its lines are an SVG that is stretched, the words around it are
 * HTML and are not. Lines differ by colour and by stroke, areas by their place.
 */
import { type Html, html } from './html.ts'

export type Line = {
  /** In the style sheet: its colour, its stroke, and whether it is an area. */
  readonly kind: 'promised' | 'allowed' | 'used' | 'missing'
  readonly values: readonly number[]
}

export type Moment = { readonly name: string; readonly at: number }

export type Plot = {
  readonly title: string
  /** Of the amounts. */
  readonly unit: string
  /** Milliseconds since the scenario began at which each stretch begins, and at which the last ends. */
  readonly at: readonly number[]
  readonly end: number
  /** The top of the axis. */
  readonly most: number
  readonly isLow?: boolean
  readonly lines: readonly Line[]
  readonly phases: readonly Moment[]
}

const areas: ReadonlySet<Line['kind']> = new Set(['used', 'missing'])

/** Of the picture that is stretched. */
const width = 1000
const height = 200

export function drawPlot(plot: Plot): Html {
  const { title, unit, at, end, most, isLow = false, lines, phases } = plot
  const start = at[0] ?? end
  const x = (moment: number): string => ((width * (moment - start)) / (end - start)).toFixed(1)
  const y = (value: number): string => (height * (1 - value / most)).toFixed(1)
  /** Every value holds until the next stretch begins. */
  const path = ({ kind, values }: Line): string => {
    const steps = values.map((value, i) => `${x(at[i] ?? end)} ${y(value)}H${x(at[i + 1] ?? end)}`)
    return areas.has(kind) ? `M0 ${height}L${steps.join('L')}V${height}Z` : `M${steps.join('L')}`
  }
  const seen = phases.filter((phase) => phase.at > start && phase.at < end)
  return html`<figure class="plot${isLow ? ' low' : ''}">
    <figcaption>
      ${title} <span class="quiet">up to ${Number(most.toFixed(1))} ${unit}</span>
    </figcaption>
    <svg
      viewBox="0 0 ${width} ${height}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${title} over time"
    >
      ${seen.map((phase) => html`<path class="phase" d="M${x(phase.at)} 0V${height}"><title>${phase.name}</title></path>`)}
      ${lines.map((line) => html`<path class="${line.kind}" d="${path(line)}" />`)}
    </svg>
    <div class="axis"><span>${showTime(start)}</span><span>${showTime(end)}</span></div>
  </figure>`
}

const roundSteps = [1, 1.5, 2, 3, 4, 5, 6, 8, 10]

/** The next round number up, so that axes read well. */
export function roundUp(value: number): number {
  const size = 10 ** Math.floor(Math.log10(Math.max(value, 1)))
  return size * (roundSteps.find((step) => step * size >= value) ?? 10)
}

export function showTime(millis: number): string {
  const minutes = millis / 60_000
  return minutes >= 120 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes)} min`
}
