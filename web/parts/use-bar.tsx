import type { PodRow } from '../../src/apis/dashboard.ts'
import { cpu } from '../model/format.ts'

type Props = {
  readonly row: PodRow
  /** What fills the whole width, in millicores. */ readonly full: number
}

const width = (part: number, full: number): string =>
  `${(full > 0 ? Math.min(1, part / full) * 100 : 0).toFixed(1)}%`

/** Use as a bar within what is allowed, with a tick at the need. */
export function UseBar({ row: { used, need, limit, request }, full }: Props) {
  const held = limit ?? request
  return (
    <span class="use-bar" title={`uses ${cpu(used)}, needs ${cpu(need)}, may use ${cpu(limit)}`}>
      <i class="use-held" style={{ width: width(held, full) }} />
      <i
        class={used >= held ? 'use-used is-full' : 'use-used'}
        style={{ width: width(used, full) }}
      />
      {need !== undefined && <i class="use-need" style={{ left: width(need, full) }} />}
    </span>
  )
}
