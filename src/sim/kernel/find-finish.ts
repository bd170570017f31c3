import { advance, type Bandwidth, type Demand, type Limit } from './bandwidth.ts'

type Finish = {
  readonly demand: Demand
  readonly limit: Limit
  readonly workNanos: number
}

/** The first moment at which the work is done, if nothing changes: usage only grows, so by halving. */
export function findFinish(bandwidth: Bandwidth, { demand, limit, workNanos }: Finish): number {
  const isDoneBy = (toMicros: number): boolean =>
    advance(bandwidth, { demand, limit, toMicros }).usageNanos >= workNanos
  const { atMicros, usageNanos } = bandwidth
  if (demand.milliCpu === 0) return Infinity
  let span = Math.max(1, Math.ceil((workNanos - usageNanos) / demand.milliCpu))
  let late = atMicros + span
  while (!isDoneBy(late)) {
    span *= 2
    late += span
  }
  let early = late - span
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2)
    if (isDoneBy(middle)) late = middle
    else early = middle
  }
  return late
}
