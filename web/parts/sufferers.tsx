import type { PodRow } from '../../src/apis/dashboard.ts'
import { cpu, latency, ratio } from '../model/format.ts'
import { NodeLink, PodLink } from './object-links.tsx'

export const sufferingAbout =
  'pods that are throttled more than the agent tolerates (usually 5 % of periods) or whose p99 is above its target, as the agent of their node judges'

/** The pods to look at first, with what ails them. */
export function Sufferers({ rows }: { readonly rows: readonly PodRow[] }) {
  if (rows.length === 0)
    return <p class="muted">None: no pod in the market is throttled or later than its target.</p>
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
  const { throttledRatio, p99Millis, targetMillis, rung, used, limit, need } = row
  const late = p99Millis !== undefined && targetMillis !== undefined && p99Millis > targetMillis
  const parts = [
    ...(late ? [`p99 ${latency(p99Millis)} above its target of ${latency(targetMillis)}`] : []),
    ...(throttledRatio > 0 ? [`throttled in ${ratio(throttledRatio)} of periods`] : []),
    ...(rung === 'isolate' ? ['its node has nothing more to give'] : []),
    `uses ${cpu(used)} of ${cpu(limit)}${need === undefined ? '' : `, needs ${cpu(need)}`}`,
  ]
  return parts.join('; ')
}
