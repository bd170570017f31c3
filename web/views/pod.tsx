/** Why this number? */
import type { PodDetail } from '../../src/apis/dashboard.ts'
import { usePage } from '../live/page.ts'
import { useView } from '../live/use-view.ts'
import { cpu, latency, ratio } from '../model/format.ts'
import { BidPanel } from '../parts/bid-panel.tsx'
import { Decisions } from '../parts/decisions.tsx'
import { type Figure, Figures } from '../parts/figures.tsx'
import { NodeLink } from '../parts/object-links.tsx'
import { PodCharts } from '../parts/pod-charts.tsx'
import { ailOf } from '../parts/sufferers.tsx'
import { podSource } from './sources.ts'
import { ViewFrame } from './view-frame.tsx'

export function PodView({ name }: { readonly name: string }) {
  const shown = useView(podSource(name), usePage().address.still)
  return (
    <ViewFrame
      title={name}
      beside={({ row }: PodDetail) => (
        <p>
          <span class="muted">on</span> <NodeLink name={row.node} />
          {row.rung !== 'monitor' && (
            <span class={`rung rung-${row.rung}`}>{`guardrail: ${row.rung}`}</span>
          )}
        </p>
      )}
      shown={shown}
      now={shown.view?.at}
      up={shown.view && { view: 'node', name: shown.view.row.node }}
    >
      {(view: PodDetail) => (
        <>
          {view.row.isSuffering && <p class="verdict is-bad">{`Suffers: ${ailOf(view.row)}`}</p>}
          <p class="verdict">{view.row.reason}</p>
          <Figures figures={figuresOf(view)} />
          <div class="two-columns">
            <PodCharts view={view} />
            <div>
              <BidPanel view={view} />
              <Decisions decisions={view.decisions} now={view.at} />
            </div>
          </div>
        </>
      )}
    </ViewFrame>
  )
}

function figuresOf({ row, restarts }: PodDetail): readonly Figure[] {
  const { p99Millis, targetMillis, limit, quota } = row
  const isRaised = quota !== undefined && limit !== undefined && quota > limit
  return [
    {
      name: 'Used',
      value: cpu(row.used),
      note: `demand ${cpu(row.demand)}`,
      about: 'CPU now, and what it could use',
    },
    {
      name: 'Need',
      value: cpu(row.need),
      note: `floor ${cpu(row.floor)}`,
      about: 'what it bids for, and what it gets before anybody gets more',
    },
    { name: 'Request', value: cpu(row.request), about: 'what it is promised' },
    {
      name: 'Limit',
      value: limit === undefined ? 'none' : cpu(limit),
      note: isRaised ? `quota ${cpu(quota)}` : undefined,
      about: 'what it may use; the guardrail may raise the quota in the kernel above it',
    },
    {
      name: 'Throttled',
      value: ratio(row.throttledRatio),
      note: 'of periods',
      about: 'periods in which it ran out of quota',
      isBad: row.throttledRatio > 0.05,
    },
    {
      name: 'p99',
      value: latency(p99Millis),
      note: targetMillis === undefined ? 'no target' : `target ${latency(targetMillis)}`,
      about: 'latency that one answer in a hundred exceeds',
      isBad: p99Millis !== undefined && targetMillis !== undefined && p99Millis > targetMillis,
    },
    { name: 'Restarts', value: String(restarts), about: 'of its containers', isBad: false },
  ]
}
