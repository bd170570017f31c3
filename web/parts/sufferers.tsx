import type { PodRow } from '../../src/apis/dashboard.ts'
import { cpu, latency, ratio } from '../model/format.ts'
import { NodeLink, PodLink } from './object-links.tsx'

export const sufferingAbout =
  'pods whose p99 is above its target, or that wait for a CPU for more than a quarter of the time, while their node has no idle CPU; strict pods also while they are throttled'

/** The pods to look at first, with what ails them. */
export function Sufferers({ rows }: { readonly rows: readonly PodRow[] }) {
  if (rows.length === 0)
    return <p class="muted">None: no pod in the market is late or waits for a CPU.</p>
  return (
    <ul class="sufferers">
      {rows.slice(0, 8).map((row) => (
        <li key={row.key}>
          <PodLink name={row.key} isRow /> <span class="muted">on</span>{' '}
          <NodeLink name={row.node} />
          <span class="ail">{ailOf(row)}</span>
        </li>
      ))}
      {rows.length > 8 && <li class="muted">{`and ${rows.length - 8} more`}</li>}
    </ul>
  )
}

export function ailOf(row: PodRow): string {
  const { throttledRatio, p99Millis, targetMillis, waitedRatio, used, entitled, need } = row
  const late = p99Millis !== undefined && targetMillis !== undefined && p99Millis > targetMillis
  const amounts = [
    `uses ${cpu(used)}`,
    ...(need === undefined ? [] : [`needs ${cpu(need)}`]),
    ...(entitled === undefined ? [] : [`is entitled to ${cpu(entitled)}`]),
  ]
  const parts = [
    ...(late ? [`p99 ${latency(p99Millis)} above its target of ${latency(targetMillis)}`] : []),
    ...(row.state === 'throttled' ? [`throttled in ${ratio(throttledRatio)} of periods`] : []),
    ...(waitedRatio >= 0.05 ? [`waits for a CPU ${ratio(waitedRatio)} of the time`] : []),
    amounts.join(', '),
  ]
  return parts.join('; ')
}
