/** A picture of the arms, p99 against average quota: hand-made SVG, for light and dark pages. */
import type { Interval } from '../statistics.ts'
import { placeLabels } from './labels.ts'

export type Dot = {
  readonly name: string
  readonly isOurs: boolean
  /** Cores. */
  readonly quota: Interval
  /** Milliseconds. */
  readonly p99: Interval
}

const size = { width: 760, height: 460 }
const frame = { left: 70, right: 730, top: 50, bottom: 400 }
const style = `
text { font: 12px system-ui, sans-serif; fill: #24292f }
.title { font-size: 15px; font-weight: 600 }
.axis, .tick { stroke: #8c959f }
.tick { stroke-dasharray: 2 4; stroke-width: .5 }
.rival { fill: #57606a; stroke: #57606a }
.ours { fill: #0969da; stroke: #0969da }
text.ours, text.rival { stroke: none }
text.ours { font-weight: 600 }
.lead { stroke-width: .5 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .rival { fill: #9198a1; stroke: #9198a1 }
  .ours { fill: #58a6ff; stroke: #58a6ff }
}`

export function drawArms(dots: readonly Dot[]): string {
  const x = axis(
    dots.map(({ quota }) => quota),
    { ticksFor: evenTicks, from: frame.left, to: frame.right, bend: (cores) => cores },
  )
  const y = axis(
    dots.map(({ p99 }) => p99),
    { ticksFor: logTicks, from: frame.bottom, to: frame.top, bend: Math.log },
  )
  const middle = (frame.left + frame.right) / 2
  const named = dots.map(({ name, quota, p99 }) => ({
    name,
    x: x.at(quota.mean),
    y: y.at(p99.mean),
    left: x.at(quota.low ?? quota.mean),
    right: x.at(quota.high ?? quota.mean),
  }))
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" role="img">`,
    '<title>p99 latency against average quota, by arm</title>',
    `<style>${style}</style>`,
    text('p99 latency against average quota: low and left is better', {
      x: frame.left,
      y: 24,
      kind: 'title',
    }),
    ...y.ticks.flatMap((tick) => [
      line('tick', [frame.left, y.at(tick), frame.right, y.at(tick)]),
      text(`${tick} ms`, { x: frame.left - 8, y: y.at(tick), anchor: 'end' }),
    ]),
    ...x.ticks.flatMap((tick) => [
      line('tick', [x.at(tick), frame.top, x.at(tick), frame.bottom]),
      text(String(tick), { x: x.at(tick), y: frame.bottom + 16, anchor: 'middle' }),
    ]),
    line('axis', [frame.left, frame.bottom, frame.right, frame.bottom]),
    line('axis', [frame.left, frame.top, frame.left, frame.bottom]),
    text('average quota of all groups in cores; bars are 95 % intervals', {
      x: middle,
      y: frame.bottom + 42,
      anchor: 'middle',
    }),
    ...dots.flatMap(({ isOurs, p99 }, i) => {
      const kind = isOurs ? 'ours' : 'rival'
      const { x: cx = 0, y: cy = 0, left = 0, right = 0 } = named[i] ?? {}
      return [
        line(kind, [left, cy, right, cy]),
        line(kind, [cx, y.at(p99.low ?? p99.mean), cx, y.at(p99.high ?? p99.mean)]),
        `<circle class="${kind}" cx="${round(cx)}" cy="${round(cy)}" r="4"/>`,
      ]
    }),
    ...placeLabels(named, size.width).flatMap((label, i) => {
      const kind = dots[i]?.isOurs === true ? 'ours' : 'rival'
      const dot = named[i] ?? label
      const words = text(label.name, { ...label, kind, anchor: label.isLeft ? 'end' : 'start' })
      const isNear = Math.abs(label.y - dot.y) < 12
      return isNear ? [words] : [line(`${kind} lead`, [dot.x, dot.y, label.x, label.y]), words]
    }),
    '</svg>',
  ]
  return `${parts.join('\n')}\n`
}

type Axis = { readonly ticks: readonly number[]; readonly at: (value: number) => number }

type Layout = {
  readonly ticksFor: (least: number, most: number) => number[]
  readonly from: number
  readonly to: number
  readonly bend: (value: number) => number
}

/** From the last tick below all values to the first above; what is beyond stands at the edge. */
function axis(intervals: readonly Interval[], { ticksFor, from, to, bend }: Layout): Axis {
  const means = intervals.map(({ mean }) => mean)
  const highs = intervals.map(({ mean, high }) => high ?? mean)
  const lows = intervals.map(({ mean, low }) => low ?? mean).filter((low) => low > 0)
  const ticks = ticksFor(Math.min(...lows, ...means), Math.max(...highs, ...means))
  const [first, last] = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  return {
    ticks,
    at(value) {
      const inside = Math.min(last, Math.max(first, value))
      return from + ((bend(inside) - bend(first)) / (bend(last) - bend(first))) * (to - from)
    },
  }
}

/** Up to ten, 1, 2 or 5 times a power of ten apart. */
export function evenTicks(least: number, most: number): number[] {
  const span = Math.max(most - least, most / 10)
  const power = 10 ** Math.floor(Math.log10(span / 10))
  const step = power * ([1, 2, 5].find((factor) => span / (factor * power) <= 9) ?? 10)
  const first = Math.floor(least / step)
  const count = Math.max(1, Math.ceil(most / step) - first)
  return Array.from({ length: count + 1 }, (_, i) => Number(((first + i) * step).toPrecision(6)))
}

/** 1, 2 and 5 times powers of ten. */
export function logTicks(least: number, most: number): number[] {
  const power = Math.floor(Math.log10(least))
  const count = Math.ceil(Math.log10(most)) - power + 1
  const all = Array.from({ length: count }, (_, i) => 10 ** (power + i)).flatMap((decade) =>
    [1, 2, 5].map((factor) => Number((factor * decade).toPrecision(6))),
  )
  const first = all.findLastIndex((tick) => tick <= least)
  const last = all.findIndex((tick) => tick >= most && tick > (all[first] ?? 0))
  return all.slice(Math.max(0, first), last + 1)
}

const round = (value: number): string => value.toFixed(1)

const line = (kind: string, [x1, y1, x2, y2]: readonly [number, number, number, number]): string =>
  `<line class="${kind}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`

type Place = {
  readonly x: number
  /** Its middle. */
  readonly y: number
  readonly kind?: string
  readonly anchor?: string
}

function text(words: string, { x, y, kind, anchor = 'start' }: Place): string {
  const escaped = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const styled = kind === undefined ? '' : ` class="${kind}"`
  return `<text${styled} x="${round(x)}" y="${round(y + 4)}" text-anchor="${anchor}">${escaped}</text>`
}
