/** Is it well? */
import type { ClusterView as View, Totals } from '../../src/apis/dashboard.ts'
import { Chart } from '../charts/chart.tsx'
import { useHref, usePage, useSpan } from '../live/page.ts'
import { useView } from '../live/use-view.ts'
import { count, cpu, money, ratio, whole } from '../model/format.ts'
import { ComparisonNote } from '../parts/comparison-note.tsx'
import { type Figure, Figures } from '../parts/figures.tsx'
import { Happenings } from '../parts/happenings.tsx'
import { Empty, Troubles } from '../parts/states.tsx'
import { Sufferers, sufferingAbout } from '../parts/sufferers.tsx'
import { TileGrid } from '../parts/tile-grid.tsx'
import { clusterSource } from './sources.ts'
import { ViewFrame } from './view-frame.tsx'

export function ClusterView() {
  const { address, about } = usePage()
  const shown = useView(clusterSource, address.still)
  const scenario = about?.scenario
  return (
    <ViewFrame
      title={about?.cluster ?? 'Cluster'}
      beside={() =>
        scenario && (
          <p class="muted" title={scenario.about}>
            {`scenario ${scenario.name}, ${scenario.speed === 'max' ? 'as fast as it can' : `${scenario.speed} times real time`}`}
          </p>
        )
      }
      shown={shown}
      now={shown.view?.at}
    >
      {(view: View) => <Contents view={view} />}
    </ViewFrame>
  )
}

/** Below so few tiles there is room for more; below many nobody would find it. */
const FEW_NODES = 24

function Contents({ view }: { readonly view: View }) {
  const { about } = usePage()
  if (view.nodes.length === 0) {
    return (
      <>
        <Troubles troubles={view.troubles} />
        <Empty title="No nodes are known yet.">
          Start agents on the nodes with <code>mbcas agent</code>; on a cluster without one, try{' '}
          <code>npm start</code>.
        </Empty>
      </>
    )
  }
  const sufferedLately = <SufferedLately view={view} />
  const isSmall = view.nodes.length <= FEW_NODES
  return (
    <>
      <Troubles troubles={view.troubles} />
      <Figures figures={figuresOf(view.totals)} />
      <div class="two-columns">
        <div>
          <History view={view} />
          <section aria-labelledby="nodes-title">
            <h2 id="nodes-title">Nodes</h2>
            <TileGrid tiles={view.nodes} now={view.at} />
          </section>
          {isSmall && sufferedLately}
        </div>
        <div>
          <section aria-labelledby="suffering-title">
            <h2 id="suffering-title">Suffering pods</h2>
            <Sufferers rows={view.suffering} />
          </section>
          {about?.scenario !== undefined && <ComparisonNote />}
          {!isSmall && sufferedLately}
        </div>
      </div>
    </>
  )
}

function SufferedLately({ view: { sufferedLately, at } }: { readonly view: View }) {
  const href = useHref()
  return (
    <section aria-labelledby="lately-title">
      <h2 id="lately-title">Who suffered lately</h2>
      {sufferedLately.length === 0 ? (
        <p class="muted">Nobody was late or waited for a CPU, and nobody was held back.</p>
      ) : (
        <Happenings events={sufferedLately.slice(0, 8)} now={at} />
      )}
      <p>
        <a href={href({ view: 'events' })}>All events</a>
      </p>
    </section>
  )
}

function History({ view: { at, history } }: { readonly view: View }) {
  const span = useSpan(at)
  return (
    <Chart
      title="CPU of the cluster"
      at={history.at}
      span={span}
      height={190}
      hasTimes
      lines={[
        { name: 'used', values: history.used, colour: 'used', write: cpu, shape: 'area' },
        {
          name: 'promised',
          values: history.promised,
          colour: 'request',
          write: cpu,
          shape: 'steps',
        },
        { name: 'sold', values: history.sold, colour: 'need', write: cpu, shape: 'steps' },
        { name: 'for sale', values: history.capacity, colour: 'text', write: cpu, shape: 'dashes' },
      ]}
    />
  )
}

const share = (part: number, all: number): string | undefined =>
  all > 0 ? ratio(part / all) : undefined

const figuresOf = (totals: Totals): readonly Figure[] => [
  {
    name: 'Suffering',
    value: count(totals.sufferingPods, 'pod'),
    note: `of ${whole(totals.pods)}`,
    about: sufferingAbout,
    isBad: totals.sufferingPods > 0,
  },
  {
    name: 'Capacity',
    value: cpu(totals.allocatable),
    note: count(totals.nodes, 'node'),
    about: 'CPU that the nodes have for pods',
  },
  {
    name: 'Promised',
    value: cpu(totals.promised),
    note: share(totals.promised, totals.allocatable),
    about: 'the sum of all requests: what schedulers keep free',
  },
  {
    name: 'Sold',
    value: cpu(totals.sold),
    note: share(totals.sold, totals.capacity),
    about: 'what the markets gave to bids, of what they have for sale',
  },
  {
    name: 'Used',
    value: cpu(totals.used),
    note: share(totals.used, totals.allocatable),
    about: 'CPU that pods use now',
  },
  {
    name: 'Price',
    value: money(totals.price),
    note: totals.price === undefined ? 'no node is short' : 'at most',
    about: 'of a millicore, on the node where it is highest',
  },
]
