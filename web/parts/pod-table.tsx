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
  key: 'used' | 'need' | 'floor' | 'request' | 'limit',
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

export function PodTable({ label, rows, colourOf }: Props) {
  const full = Math.max(
    1,
    ...rows.map(({ limit, request, used }) => Math.max(limit ?? request, used)),
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
      title: 'Of limit',
      about: 'use as a bar within the limit, with a tick at the need; sorts by use of the limit',
      width: '5.5rem',
      isNumeric: false,
      valueOf: ({ used, limit, request }) => used / Math.max(1, limit ?? request),
      cell: (row) => <UseBar row={row} full={full} />,
    },
    amount('used', 'Use', 'CPU that it uses now'),
    amount('need', 'Need', 'what it bids for: demand and head-room'),
    amount('floor', 'Floor', 'what it gets before anybody gets more'),
    amount('request', 'Request', 'what it is promised'),
    amount('limit', 'Limit', 'what it may use'),
    {
      key: 'throttled',
      title: 'Throttled',
      about: 'periods in which it ran out of quota',
      width: '4.8rem',
      isNumeric: true,
      valueOf: ({ throttledRatio }) => throttledRatio,
      cell: ({ throttledRatio }) => ratio(throttledRatio),
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
