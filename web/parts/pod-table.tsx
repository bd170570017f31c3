import type { PodRow } from '../../src/apis/dashboard.ts'
import { cpu, latency, money, ratio } from '../model/format.ts'
import { type Column, DataTable } from './data-table.tsx'
import { PodLink } from './object-links.tsx'
import { UseBar } from './use-bar.tsx'

type Props = {
  readonly label: string
  readonly rows: readonly PodRow[]
  readonly colourOf: (key: string) => string
}

const amount = (
  key: 'used' | 'need' | 'entitled' | 'gets' | 'request',
  title: string,
  about: string,
): Column<PodRow> => ({
  key,
  title,
  about,
  width: '4.2rem',
  isNumeric: true,
  valueOf: (row) => row[key],
  cell: (row) => cpu(row[key]),
})

/** How much it is held back: by others, or by its own quota. */
const held = ({ isStrict = false, throttledRatio, waitedRatio }: PodRow): number =>
  isStrict ? throttledRatio : waitedRatio

export function PodTable({ label, rows, colourOf }: Props) {
  const full = Math.max(
    1,
    ...rows.map(({ entitled, request, used, gets = 0 }) =>
      Math.max(entitled ?? request, gets, used),
    ),
  )
  const columns: readonly Column<PodRow>[] = [
    {
      key: 'pod',
      title: 'Pod',
      about: 'namespace/name',
      width: 'minmax(15rem, 1.6fr)',
      isNumeric: false,
      valueOf: ({ key }) => key,
      cell: ({ key, isSuffering }) => (
        <>
          <i class="swatch" style={{ background: colourOf(key) }} />
          <PodLink name={key} isRow />
          {isSuffering && <span class="unseen"> suffering</span>}
        </>
      ),
    },
    {
      key: 'bar',
      title: 'Of entitled',
      about:
        'use as a bar over what it is entitled to, with a tick at what it gets; sorts by use of the entitlement',
      width: '5.5rem',
      isNumeric: false,
      valueOf: ({ used, entitled, request }) => used / Math.max(1, entitled ?? request),
      cell: (row) => <UseBar row={row} full={full} />,
    },
    amount('used', 'Use', 'CPU that it uses now'),
    amount('need', 'Need', 'what it bids for: what it used, and what it waited for'),
    amount('gets', 'Gets', 'what the market gave it'),
    amount(
      'entitled',
      'Entitled',
      'what is its own, whatever other namespaces want; within it, it goes before them',
    ),
    amount('request', 'Request', 'what the scheduler keeps free for it'),
    {
      key: 'share',
      title: 'If full',
      about: 'its share of the node while everybody wants more than there is',
      width: '4rem',
      isNumeric: true,
      valueOf: ({ shareRatio }) => shareRatio,
      cell: ({ shareRatio }) => ratio(shareRatio),
    },
    {
      key: 'waits',
      title: 'Waits',
      about:
        'of the time that it wanted to run, what it waited for a CPU; of strict pods, the periods in which they ran out of quota',
      width: '4.4rem',
      isNumeric: true,
      valueOf: held,
      cell: (row) => ratio(held(row)),
    },
    {
      key: 'p99',
      title: 'p99',
      about: 'latency, against its target',
      width: '9.4rem',
      isNumeric: true,
      valueOf: ({ p99Millis }) => p99Millis,
      cell: ({ p99Millis, targetMillis }) =>
        targetMillis === undefined || p99Millis === undefined
          ? latency(p99Millis)
          : `${latency(p99Millis)} of ${latency(targetMillis)}`,
    },
    {
      key: 'paid',
      title: 'Paid',
      about: 'what its share costs an hour at the price of the node',
      width: '4.6rem',
      isNumeric: true,
      valueOf: ({ paid }) => paid,
      cell: ({ paid }) => money(paid),
    },
    {
      key: 'reason',
      title: 'Reason',
      about: 'why it got this much',
      width: 'minmax(10rem, 1.6fr)',
      isNumeric: false,
      valueOf: ({ reason }) => reason,
      cell: ({ reason }) => <span title={reason}>{reason}</span>,
    },
  ]
  return (
    <DataTable
      label={label}
      columns={columns}
      rows={rows}
      keyOf={({ key }) => key}
      isBad={({ isSuffering }) => isSuffering}
      initially={{ column: 'pod', descending: false }}
    />
  )
}
