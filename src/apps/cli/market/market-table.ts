import type { MarketFile, MarketResult } from '../../../apis/market-file.ts'
import { bar, showMillicores, table, wrap } from '../show.ts'

/** The clearing for a person: the figures in a table, then the reason for each bid. */
export function marketTable(bids: MarketFile['bids'], result: MarketResult, width: number): string {
  const { mode, mechanism, capacity, price, slack, allocations, certificate, iterations } = result
  const columns = [
    { title: 'BID', align: 'left' },
    { title: 'FLOOR', align: 'right' },
    { title: 'NEED', align: 'right' },
    { title: 'CEILING', align: 'right' },
    { title: 'WEIGHT', align: 'right' },
    { title: 'GETS', align: 'right' },
    { title: 'OF ITS NEED', align: 'left' },
  ] as const
  const rows = bids.map((bid, i) => {
    const gets = allocations[i]?.millicores ?? 0
    const amounts = [bid.floor, bid.need, bid.ceiling].map(showMillicores)
    const share = bid.need === 0 ? 1 : gets / bid.need
    return [bid.id, ...amounts, String(bid.weight), showMillicores(gets), bar(share, 16)]
  })
  const residual = Math.max(certificate.primal, certificate.dual, certificate.complementarity)
  const rounds = iterations === undefined ? '' : `, after ${iterations} prices`
  return [
    `${mode}: ${showMillicores(capacity)} shared by ${mechanism}${rounds}`,
    `price ${priceText(price)}, slack ${showMillicores(slack)}, optimal to ${residual.toPrecision(2)}`,
    '',
    ...table(columns, rows),
    '',
    ...allocations.flatMap(({ id, reason }) => wrap(`${id} ${reason}`, width, 2)),
    '',
  ].join('\n')
}

const priceText = (price: number | null): string =>
  price === null ? 'none' : `${Number(price.toPrecision(4))} per millicore`
