/** Why this number? */
import type { PodDetail } from '../../src/apis/dashboard.ts'
import { usePage } from '../live/page.ts'
import { useView } from '../live/use-view.ts'
import { cpu, latency, ratio, whole } from '../model/format.ts'
import { BidPanel, mostOf } from '../parts/bid-panel.tsx'
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
          {row.heldTo !== undefined && (
            <span class="is-held">{`held to ${cpu(row.heldTo)} to protect others`}</span>
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

function figuresOf(view: PodDetail): readonly Figure[] {
  const { row, restarts } = view
  const { p99Millis, targetMillis, gets, need, shareRatio, shares, isStrict = false } = row
  return [
    {
      name: 'Used',
      value: cpu(row.used),
      note: `demand ${cpu(row.demand)}`,
      about: 'CPU now, and what it could use',
    },
    {
      name: 'Entitled',
      value: cpu(row.entitled),
      note: laneOf(row),
      about:
        'its min-cpu or original request: what is its own, whatever other namespaces want; within it, it goes before them',
    },
    {
      name: 'Gets',
      value: cpu(gets),
      note: need === undefined ? undefined : `of ${cpu(need)} needed`,
      about: 'what the market gave it of what it needs',
    },
    {
      name: 'Of a full node',
      value: ratio(shareRatio),
      about: 'its share while everybody wants more than there is',
    },
    {
      name: 'Weight now',
      value: whole(shares),
      note: shares === undefined ? undefined : 'after the fast lane and targets',
      about: 'its weight in the kernel, in cpu.shares (1,024 per CPU as the kubelet sets them)',
    },
    { name: 'Request', value: cpu(row.request), about: 'what the scheduler keeps free for it' },
    {
      name: isStrict ? 'Limit' : 'Ceiling',
      value: ceilingIn(view),
      note: row.heldTo === undefined ? undefined : `held to ${cpu(row.heldTo)}`,
      about: isStrict
        ? 'its share, in force as a quota (enforcement strict)'
        : 'what it may use at most, even beside idle CPU; set by max-cpu or a LimitRange',
      isBad: row.heldTo !== undefined,
    },
    isStrict || row.state === 'throttled'
      ? {
          name: 'Throttled',
          value: ratio(row.throttledRatio),
          note: 'of periods',
          about: 'periods in which it ran out of quota',
          isBad: row.state === 'throttled',
        }
      : {
          name: 'Waits',
          value: ratio(row.waitedRatio),
          note: 'of the time',
          about: 'of the time that it wanted to run, what it waited for a CPU',
          isBad: row.state === 'waits',
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

/** Where nobody set one, what it bids for ends with its node. */
function ceilingIn({ row: { ceiling }, bid }: PodDetail): string {
  if (ceiling !== undefined) return cpu(ceiling)
  return bid === undefined ? 'none' : mostOf(bid)
}

const laneOf = ({ isInLane, isManaged }: PodDetail['row']): string | undefined =>
  !isManaged || isInLane === undefined ? undefined : isInLane ? 'goes first' : 'used up'
