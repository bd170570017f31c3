/** Who holds what of a node: a band a pod, on top of each other, below what the node sells. */
import { useMemo } from 'preact/hooks'

import type { NodeHistory } from '../../src/apis/dashboard.ts'
import { usePage } from '../live/page.ts'
import { thin, within } from '../model/columns.ts'
import { cpu } from '../model/format.ts'
import { bandAt, stack } from '../model/stack.ts'
import type { Span } from '../model/time.ts'
import { Chart, type Pointed } from './chart.tsx'
import type { Line, Values } from './line.ts'

type Props = {
  readonly history: NodeHistory
  readonly span: Span
  readonly colourOf: (key: string) => `#${string}`
}

/** More samples than pixels cannot be seen, and every band has to be drawn. */
const MOST_SAMPLES = 900

export function Stacked({ history, span, colourOf }: Props) {
  const { bands } = usePage().address
  const { at, capacity, drawn, lines } = useMemo(() => {
    const [first, end] = within(history.at, span)
    const kept = thin(end - first, MOST_SAMPLES).map((index) => first + index)
    const pick = <T,>(values: readonly T[]): T[] => kept.flatMap((index) => values[index] ?? [])
    const pickGaps = (values: Values): Values => kept.map((index) => values[index] ?? null)
    const drawn = history.pods.map((band) => ({ key: band.key, values: pickGaps(band[bands]) }))
    const lines = stack(
      drawn.map(({ values }) => values),
      kept.length,
    )
    return { at: pick(history.at), capacity: pick(history.capacity), drawn, lines }
  }, [history, span.from, span.to, bands])

  // The highest first: each covers the part of it that belongs to those below.
  const shown: Line[] = drawn
    .map(({ key }, i): Line => ({
      name: key,
      values: lines[i] ?? [],
      colour: colourOf(key),
      write: cpu,
      shape: 'band',
    }))
    .toReversed()
  const sold: Line = {
    name: 'for sale',
    values: capacity,
    colour: 'text',
    write: cpu,
    shape: 'dashes',
  }

  const readout = ({ index, height }: Pointed) => {
    const found = height === undefined ? -1 : bandAt(lines, index, height)
    const band = drawn[found]
    return (
      <>
        {band && (
          <span class="value">
            <i class="swatch" style={{ background: colourOf(band.key) }} />
            {band.key} <b>{cpu(band.values[index])}</b>
          </span>
        )}
        <span class="value">
          {`all ${drawn.length} pods`} <b>{cpu(lines.at(-1)?.[index])}</b>
        </span>
        <span class="value">
          for sale <b>{cpu(capacity[index])}</b>
        </span>
      </>
    )
  }

  return (
    <Chart
      title={bands === 'held' ? 'Given to pods' : 'Used by pods'}
      at={at}
      lines={[...shown, sold]}
      span={span}
      height={280}
      readout={readout}
      told={[{ name: `all ${drawn.length} pods`, values: lines.at(-1) ?? [], write: cpu }, sold]}
    />
  )
}
