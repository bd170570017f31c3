/** A chart over the page's time axis, with its values at the cursor, or the newest, in words. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'

import { usePage } from '../live/page.ts'
import { indexAt, within } from '../model/columns.ts'
import { summarize, type Told } from '../model/summary.ts'
import { clock, type Span, span as length } from '../model/time.ts'
import { type Colours, readColours } from './colours.ts'
import type { Line } from './line.ts'
import { drawMarks } from './marks.ts'
import { chartOptions } from './options.ts'

/** Where the cursor is: a sample, and a height on the scale. */
export type Pointed = { readonly index: number; readonly height?: number | undefined }

type Props = {
  readonly title: string
  readonly at: readonly number[]
  readonly lines: readonly Line[]
  readonly span: Span
  readonly height: number
  readonly top?: number
  /** Whether the times stand below: once for all charts of a view is enough. */
  readonly hasTimes?: boolean
  readonly draw?: (plot: uPlot, colours: Colours) => void
  /** Of another time than the page's, told from its beginning: no zoom, no phases. */
  readonly isApart?: boolean
  /** In place of the value of each line. */
  readonly readout?: (pointed: Pointed) => ComponentChildren
  /** What is told in words, where it is not the lines as they are drawn. */
  readonly told?: readonly Told[]
}

export function Chart(props: Props) {
  const { title, at, lines, span, height, hasTimes = false, isApart = false } = props
  const page = usePage()
  const holder = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const writeTime = (moment: number, step: number): string => {
    if (isApart) return length(moment - span.from)
    return step < 60_000 ? clock(moment) : clock(moment).slice(0, 5)
  }
  const latest = useRef({ props, page, writeTime })
  latest.current = { props, page, writeTime }
  const [pointed, setPointed] = useState<Pointed>()
  const look = lines.map(({ name, colour, shape }) => `${name} ${colour} ${shape}`).join()
  const data = [at, ...lines.map(({ values }) => values)] as unknown as uPlot.AlignedData

  useLayoutEffect(() => {
    const element = holder.current
    if (element === null) return undefined
    const colours = readColours()
    const options = chartOptions({
      lines,
      colours,
      span: () => latest.current.props.span,
      width: element.clientWidth,
      height,
      hasTimes,
      writeTime: (at, step) => latest.current.writeTime(at, step),
      top: props.top,
      onCursor: (plot) => setPointed(pointedBy(plot)),
      onZoom: (zoomed) => isApart || latest.current.page.zoom(zoomed),
      onBack: () => isApart || latest.current.page.unzoom(),
      draw: (drawn) => {
        const { about, address } = latest.current.page
        latest.current.props.draw?.(drawn, colours)
        if (isApart) return
        const marks = about?.scenario?.phases ?? []
        drawMarks(drawn, colours, { marks, moment: address.moment, hasNames: hasTimes })
      },
    })
    const made = new uPlot(options, data, element)
    plot.current = made
    const resized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }))
    resized.observe(element)
    return () => {
      resized.disconnect()
      made.destroy()
    }
  }, [look, page.isDark, height, hasTimes])

  useLayoutEffect(() => plot.current?.setData(data), [at, span.from, span.to, page.address.moment])

  const shown = pointed ?? { index: Math.min(at.length - 1, indexAt(at, span.to)) }
  const [first, end] = within(at, span)
  const told = (props.told ?? lines).map(({ name, values, write }) => ({
    name,
    values: values.slice(first, end),
    write,
  }))
  return (
    <figure class="chart">
      <figcaption>
        <h2>{title}</h2>
        <p class="readout">
          {props.readout?.(shown) ??
            lines.map((line) => <Value key={line.name} line={line} index={shown.index} />)}
          <span class="muted">
            {at[shown.index] === undefined ? '' : writeTime(at[shown.index] ?? 0, 0)}
          </span>
        </p>
      </figcaption>
      <div ref={holder} class="plot" role="img" aria-label={summarize(title, span, told)} />
    </figure>
  )
}

/** A height only where the mouse is: the cursors of other charts follow it in time alone. */
function pointedBy(plot: uPlot): Pointed | undefined {
  const { idx, top = -1, event } = plot.cursor
  if (typeof idx !== 'number') return undefined
  return { index: idx, height: event && top >= 0 ? plot.posToVal(top, 'y') : undefined }
}

function Value({ line, index }: { readonly line: Line; readonly index: number }) {
  const background = line.colour.startsWith('#') ? line.colour : `var(--${line.colour})`
  return (
    <span class="value">
      <i class="swatch" style={{ background }} />
      {line.name} <b>{line.write(line.values[index])}</b>
    </span>
  )
}
