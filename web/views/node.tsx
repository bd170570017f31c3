/** Who holds what? */
import { useMemo } from 'preact/hooks'

import type { NodeDetail } from '../../src/apis/dashboard.ts'
import { Chart } from '../charts/chart.tsx'
import { BAND_HUES, bandColour } from '../charts/colours.ts'
import { drawModeBand } from '../charts/mode-band.ts'
import { Stacked } from '../charts/stacked.tsx'
import { usePage, useSpan } from '../live/page.ts'
import { useView } from '../live/use-view.ts'
import { colourIndexes } from '../model/colours.ts'
import { count, cpu, money, ratio } from '../model/format.ts'
import { wrongWith } from '../model/trouble.ts'
import { BandsSwitch } from '../parts/bands-switch.tsx'
import { type Figure, Figures } from '../parts/figures.tsx'
import { ModeWord } from '../parts/mode-word.tsx'
import { PodTable } from '../parts/pod-table.tsx'
import { Empty, Troubles } from '../parts/states.tsx'
import { sufferingAbout } from '../parts/sufferers.tsx'
import { When } from '../parts/when.tsx'
import { nodeSource } from './sources.ts'
import { ViewFrame } from './view-frame.tsx'

export function NodeView({ name }: { readonly name: string }) {
  const shown = useView(nodeSource(name), usePage().address.still)
  return (
    <ViewFrame
      title={name}
      beside={({ tile, at }: NodeDetail) => (
        <p>
          <ModeWord mode={tile.mode} />
          {tile.clearedAt !== undefined && (
            <span class="muted">
              {' market cleared '}
              <When at={tile.clearedAt} now={at} />
            </span>
          )}
        </p>
      )}
      shown={shown}
      now={shown.view?.at}
    >
      {(view: NodeDetail) => <Contents view={view} />}
    </ViewFrame>
  )
}

function Contents({ view }: { readonly view: NodeDetail }) {
  const { tile, pods, history } = view
  const span = useSpan(view.at)
  const colourOf = useBandColours(view)
  return (
    <>
      <Troubles troubles={troublesOf(view)} />
      <Figures figures={figuresOf(view)} />
      <div class="charts">
        <BandsSwitch />
        <Stacked history={history} span={span} colourOf={colourOf} />
        <Chart
          title="Price and mode"
          at={history.at}
          span={span}
          height={120}
          hasTimes
          lines={[
            { name: 'price', values: history.price, colour: 'price', write: money, shape: 'steps' },
          ]}
          draw={(plot, colours) => drawModeBand(plot, colours, history)}
          readout={({ index }) => (
            <>
              {history.mode[index] && <ModeWord mode={history.mode[index]} />}
              <span class="value">
                price <b>{money(history.price[index])}</b>
              </span>
            </>
          )}
        />
      </div>
      {pods.length === 0 ? (
        <Empty title="No pods run here.">What is scheduled here will show up by itself.</Empty>
      ) : (
        <PodTable label={`pods on ${tile.name}`} rows={pods} colourOf={colourOf} />
      )}
    </>
  )
}

/** That its agent is silent, and what could not be learnt. */
const troublesOf = ({ tile, at }: NodeDetail): readonly string[] => [
  ...(tile.silentSince === undefined ? [] : [wrongWith(tile, at) ?? '']),
  ...(tile.trouble === undefined ? [] : [tile.trouble]),
]

/** By the names of all that are or were there: the same in the chart and in the table. */
function useBandColours({ pods, history }: NodeDetail): (key: string) => `#${string}` {
  const { isDark } = usePage()
  const keys = [...new Set([...history.pods, ...pods].map(({ key }) => key))]
  const indexes = useMemo(() => colourIndexes(keys, BAND_HUES), [keys.join()])
  return (key) => bandColour(indexes.get(key) ?? 0, isDark)
}

const figuresOf = ({ tile, reserve, held }: NodeDetail): readonly Figure[] => [
  {
    name: 'Suffering',
    value: count(tile.suffering, 'pod'),
    note: `of ${tile.pods}`,
    about: sufferingAbout,
    isBad: tile.suffering > 0,
  },
  {
    name: 'Capacity',
    value: cpu(tile.allocatable),
    note: reserve === 0 ? undefined : `${cpu(reserve)} in reserve`,
    about: 'CPU that the node has for pods, and what of it is never sold to strict pods',
  },
  {
    name: 'For sale',
    value: cpu(tile.capacity),
    note: `${cpu(held)} held by others`,
    about: 'without the reserve and without what pods hold that take no part',
  },
  {
    name: 'Sold',
    value: cpu(tile.sold),
    note: tile.capacity > 0 ? ratio(tile.sold / tile.capacity) : undefined,
    about: 'what the market gave to bids; what is left is there for whoever wants it',
  },
  {
    name: 'Used',
    value: cpu(tile.used),
    note: tile.allocatable > 0 ? ratio(tile.used / tile.allocatable) : undefined,
    about: 'CPU that its pods use now',
  },
  {
    name: 'Price',
    value: money(tile.price),
    note: tile.price === undefined ? 'nothing is short' : 'per millicore',
    about: 'what a millicore more would be worth to who gets it',
  },
]
