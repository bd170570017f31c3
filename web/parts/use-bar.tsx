import type { PodRow } from '../../src/apis/dashboard.ts'
import { cpu } from '../model/format.ts'

type Props = {
  readonly row: PodRow
  /** What fills the whole width, in millicores. */ readonly full: number
}

const width = (part: number, full: number): string =>
  `${(full > 0 ? Math.min(1, part / full) * 100 : 0).toFixed(1)}%`

/** Use as a bar over what it is entitled to, with a tick at what it gets. */
export function UseBar({ row: { used, gets, entitled, request, isSuffering }, full }: Props) {
  const own = entitled ?? request
  return (
    <span
      class="use-bar"
      title={`uses ${cpu(used)}, is entitled to ${cpu(own)}, gets ${cpu(gets)} while CPU is short`}
    >
      <i class="use-held" style={{ width: width(own, full) }} />
      <i
        class={isSuffering ? 'use-used is-full' : 'use-used'}
        style={{ width: width(used, full) }}
      />
      {gets !== undefined && <i class="use-need" style={{ left: width(gets, full) }} />}
    </span>
  )
}
