import { type Load, parseLoad } from '../../../src/apis/load.ts'
/** Puts the model to a setting that was measured: the same grid of periods and ticks, the same moments. */
import type { LatencyCounters, NodeKernel } from '../../../src/sim/kernel/kernel.ts'
import { createNodeKernel } from '../../../src/sim/kernel/node-kernel.ts'
import type { Group, Grown, Measured } from './setting.ts'

/** Those of the machine that was measured. */
const cpus = 2

export function predict(measured: Measured): Grown[] {
  const { setting, intoTickMicros, fromMicros, toMicros } = measured
  let nowMicros = intoTickMicros
  const agenda = { now: () => nowMicros / 1000, at: () => () => {} }
  // The kernel draws where in the grid of periods a container starts: at a refill.
  const random = () => (intoTickMicros + 0.5) / setting.periodMicros
  const kernel = createNodeKernel({ agenda, cpus, random })
  const ids = setting.groups.map((group, i) => {
    const { shares, quotaMicros, burstMicros } = group
    const cpu = { shares, quotaMicros, burstMicros, periodMicros: setting.periodMicros }
    kernel.add({
      id: `g${i}`,
      podUid: 'bench',
      cpu,
      load: loadOf(group, measured.groups[i]?.freeRatio ?? 1),
    })
    return `g${i}`
  })
  kernel.add({ id: 'others', podUid: 'others', cpu: first, load: others(measured) })
  nowMicros = intoTickMicros + fromMicros
  const before = ids.map((id) => readingOf(kernel, id))
  nowMicros = intoTickMicros + toMicros
  return ids.map((id, i) => grownBetween(before[i], readingOf(kernel, id)))
}

/** What others took from it makes its threads slower. */
function loadOf({ threads, work }: Group, freeRatio: number): Load {
  if (work.kind === 'requests') return parseLoad(work.load)
  const cpu = `${Math.round(threads * freeRatio * 1000)}m`
  if (work.kind === 'always') return parseLoad(`steady cpu=${cpu} threads=${threads}`)
  const times = `every=${work.everyMillis}ms for=${work.forMillis}ms`
  return parseLoad(`bursty low=0 high=${cpu} ${times} threads=${threads}`)
}

/** Whatever else ran on a machine that was full came before the groups. */
const first = { shares: 262_144, quotaMicros: null, burstMicros: 0, periodMicros: 100_000 }
const others = ({ lostMilli }: Measured): Load => parseLoad(`steady cpu=${lostMilli}m`)

function readingOf(kernel: NodeKernel, id: string) {
  const counters = kernel.read(id)
  if (counters === undefined) throw new Error(`reading ${id}: there is none`)
  return { counters, latency: kernel.latency(id) }
}

type Reading = ReturnType<typeof readingOf>

function grownBetween(before: Reading | undefined, after: Reading): Grown {
  const first = before?.counters
  const { counters } = after
  return {
    usageMicros: counters.usageMicros - (first?.usageMicros ?? 0),
    periods: counters.periods - (first?.periods ?? 0),
    throttledPeriods: counters.throttledPeriods - (first?.throttledPeriods ?? 0),
    throttledMicros: counters.throttledMicros - (first?.throttledMicros ?? 0),
    bursts: (counters.burstPeriods ?? 0) - (first?.burstPeriods ?? 0),
    burstMicros: (counters.burstMicros ?? 0) - (first?.burstMicros ?? 0),
    ...latencyOf(after.latency),
  }
}

const latencyOf = (latency: LatencyCounters | undefined): Partial<Grown> =>
  latency === undefined ? {} : { latency: latency.buckets.map(({ count }) => count) }
