/** How uPlot draws a chart of the page: one time axis, one cursor, drag to zoom. */
import uPlot from 'uplot'

import type { Span } from '../model/time.ts'
import type { Colours } from './colours.ts'
import type { Line } from './line.ts'

/** What may change without a new chart is asked for when it is needed. */
export type Wiring = {
  readonly lines: readonly Line[]
  readonly colours: Colours
  readonly span: () => Span
  readonly width: number
  readonly height: number
  readonly hasTimes: boolean
  /** `step`: milliseconds to the next that is written. */
  readonly writeTime: (at: number, step: number) => string
  /** The greatest value of the scale, where it is known, such as 1 of a ratio. */
  readonly top?: number | undefined
  readonly onCursor: (plot: uPlot) => void
  readonly onZoom: (span: Span) => unknown
  readonly onBack: () => unknown
  readonly draw: (plot: uPlot) => void
}

const FONT = '11px system-ui, sans-serif'
/** Room for `12.5 cores`; the same in all charts, so that their times are below each other. */
const SCALE_WIDTH = 64
/** From a time on the axis to the next: seconds, minutes, hours. */
const STEPS = [1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21_600].map((s) => s * 1000)
/** Free above the highest line, for what is drawn there. */
const HEAD_PIXELS = 16
/** Less than this was a click, no drag. */
const LEAST_DRAG = 5

export function chartOptions(wiring: Wiring): uPlot.Options {
  const { lines, colours, width, height, hasTimes, top } = wiring
  return {
    width,
    height,
    ms: 1,
    legend: { show: false },
    padding: [8, 12, hasTimes ? 0 : 6, 0],
    scales: {
      x: {
        range: () => {
          const { from, to } = wiring.span()
          return [from, to]
        },
      },
      y: {
        range: (_plot, _least, most) => [
          0,
          top ?? (most > 0 ? most * (1 + HEAD_PIXELS / height) : 1),
        ],
      },
    },
    axes: [timeAxis(wiring), amountAxis(colours, lines[0]?.write ?? String)],
    series: [{}, ...lines.map((line) => seriesOf(line, colours))],
    cursor: {
      y: false,
      points: { show: false },
      drag: { x: true, y: false, setScale: false },
      sync: {
        key: 'page',
        setSeries: false,
        // Other charts follow the cursor, not the drag: one zoom is enough.
        filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' },
      },
      bind: { dblclick: () => () => (wiring.onBack(), null) },
    },
    hooks: {
      setCursor: [wiring.onCursor],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select
          if (width < LEAST_DRAG) return
          const [from, to] = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')]
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
          wiring.onZoom({ from: Math.round(from), to: Math.round(to) })
        },
      ],
      draw: [wiring.draw],
    },
  }
}

const timeAxis = ({ colours, hasTimes, writeTime }: Wiring): uPlot.Axis => ({
  stroke: colours.muted,
  font: FONT,
  size: hasTimes ? 28 : 0,
  space: 60,
  incrs: STEPS,
  grid: { stroke: colours.line, width: 1 },
  ticks: { show: false },
  values: (_plot, times, _axis, _space, step) =>
    hasTimes ? times.map((at) => writeTime(at, step)) : [],
})

const amountAxis = (colours: Colours, write: Line['write']): uPlot.Axis => ({
  stroke: colours.muted,
  font: FONT,
  size: SCALE_WIDTH,
  space: 34,
  grid: { stroke: colours.line, width: 1 },
  ticks: { show: false },
  values: (_plot, amounts) => amounts.map((amount) => write(amount)),
})

function seriesOf({ name, colour, shape }: Line, colours: Colours): uPlot.Series {
  const ink = colour.startsWith('#') ? colour : colours[colour as keyof Colours]
  const { stepped } = uPlot.paths
  const holds = shape === 'steps' || shape === 'band' || shape === 'dashes'
  return {
    label: name,
    width: shape === 'band' ? 0 : 1.5,
    stroke: ink,
    points: { show: false },
    ...(shape === 'band' ? { fill: ink } : {}),
    ...(shape === 'area' ? { fill: ink.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.18)') } : {}),
    ...(shape === 'dashes' ? { dash: [5, 4] } : {}),
    ...(holds && stepped ? { paths: stepped({ align: 1 }) } : {}),
  }
}
