/** The views of the contract, told of the world at a moment. */
import type {
  ClusterView,
  ComparisonView,
  EventFeed,
  Found,
  Happening,
  NodeDetail,
  NodeHistory,
  PodDetail,
  PodRow,
} from '../../src/apis/dashboard.ts'
import { arm } from './builders.ts'
import {
  clusterHistory,
  nodeOf,
  podKeys,
  rowAt,
  rowsAt,
  sampleTimes,
  tileAt,
  type World,
} from './world.ts'

const KEPT = 900
const RESERVE = 200

export function clusterAt(
  world: World,
  at: number,
  times = sampleTimes(world, at, KEPT),
): ClusterView {
  const nodes = world.nodes.map((name) => tileAt(world, name, at))
  const sum = (value: (node: (typeof nodes)[number]) => number): number =>
    nodes.reduce((all, node) => all + value(node), 0)
  const suffering = nodes
    .filter((node) => node.suffering > 0)
    .slice(0, 10)
    .flatMap(({ name }) => rowsAt(world, name, at).filter(({ isSuffering }) => isSuffering))
    .slice(0, 20)
  const price = Math.max(0, ...nodes.map((node) => node.price ?? 0))
  return {
    at,
    totals: {
      nodes: nodes.length,
      pods: sum(({ pods }) => pods),
      managedPods: sum(({ pods }) => pods),
      sufferingPods: sum((node) => node.suffering),
      allocatable: sum(({ allocatable }) => allocatable),
      capacity: sum(({ capacity }) => capacity),
      sold: sum(({ sold }) => sold),
      promised: Math.round(sum(({ sold }) => sold * 0.9)),
      used: sum(({ used }) => used),
      ...(price > 0 ? { price } : {}),
    },
    history: clusterHistory(world, times),
    nodes,
    sufferedLately: eventsAt(world, at)
      .events.filter(({ kind }) => kind === 'suffering')
      .slice(0, 20),
    suffering,
    troubles: [],
  }
}

export function nodeAt(
  world: World,
  name: string,
  at: number,
  times = sampleTimes(world, at, KEPT),
): NodeDetail {
  return {
    at,
    tile: tileAt(world, name, at),
    reserve: RESERVE,
    held: 0,
    pods: rowsAt(world, name, at),
    history: nodeHistory(world, name, times),
  }
}

function nodeHistory(world: World, name: string, times: readonly number[]): NodeHistory {
  const rows = times.map((time) => new Map(rowsAt(world, name, time).map((row) => [row.key, row])))
  const tiles = times.map((time) => tileAt(world, name, time))
  const column = (key: string, value: (row: PodRow) => number | undefined): (number | null)[] =>
    rows.map((at) => {
      const row = at.get(key)
      return row === undefined ? null : (value(row) ?? null)
    })
  return {
    at: times,
    price: tiles.map(({ price }) => price ?? null),
    mode: tiles.map(({ mode }) => (mode === 'unknown' ? null : mode)),
    capacity: tiles.map(({ capacity }) => capacity),
    pods: podKeys(world, name).map((key) => ({
      key,
      held: column(key, ({ gets }) => gets),
      used: column(key, ({ used }) => used),
    })),
  }
}

export function podAt(
  world: World,
  key: string,
  at: number,
  times = sampleTimes(world, at, KEPT),
): PodDetail {
  const node = nodeOf(world, key) ?? ''
  const row = rowAt(world, node, key, at)
  const rows = times.map((time) => rowAt(world, node, key, time))
  const column = (
    name:
      | 'demand'
      | 'gets'
      | 'entitled'
      | 'request'
      | 'ceiling'
      | 'used'
      | 'waitedRatio'
      | 'throttledRatio'
      | 'p99Millis',
  ) => rows.map((sample) => sample[name] ?? null)
  const clearings = sampleTimes(world, at, KEPT).filter((time) => time % 15_000 < 1000)
  return {
    at,
    row,
    bid: {
      floor: row.floor ?? 0,
      need: row.need ?? 0,
      ceiling: row.ceiling ?? 3800,
      weight: 1,
      entitled: row.entitled ?? 0,
      shareRatio: row.shareRatio ?? 0,
      gets: row.gets ?? 0,
      paid: row.paid ?? 0,
    },
    original: { request: 100, limit: 500 },
    state: { phase: 'Applied', reason: 'Resized', message: 'the kubelet has actuated it' },
    restarts: 0,
    history: {
      at: times,
      demand: column('demand'),
      gets: column('gets'),
      entitled: column('entitled'),
      request: column('request'),
      ceiling: column('ceiling'),
      used: column('used'),
      waitedRatio: column('waitedRatio'),
      throttledRatio: column('throttledRatio'),
      p99Millis: column('p99Millis'),
    },
    decisions: clearings.toReversed().map((time) => {
      const then = rowAt(world, node, key, time)
      return {
        at: time,
        request: then.request,
        limit: then.limit ?? 0,
        urgency: then.isSuffering ? 'guardrail' : 'normal',
        reason: then.reason,
      } as const
    }),
  }
}

/** Every 3 s something happens to somebody. */
export function eventsAt(
  world: World,
  at: number,
  times = sampleTimes(world, at, KEPT),
): EventFeed {
  const events = times
    .filter((time) => Math.floor(time / 1000) % 3 === 0)
    .toReversed()
    .flatMap((time) => {
      const count = Math.floor(time / 3000)
      const node = world.nodes[count % Math.max(1, world.nodes.length)]
      if (node === undefined) return []
      const key = podKeys(world, node)[count % world.podsPerNode]
      return key === undefined ? [] : [happeningOf(rowAt(world, node, key, time), time)]
    })
  return { at, events }
}

function happeningOf(row: PodRow, at: number): Happening {
  const { key, node, gets, need, state, waitedRatio, p99Millis, targetMillis, heldTo } = row
  const base = { id: `${at}`, at, node, pod: key }
  if (heldTo !== undefined) {
    const text = `${key} is held to ${heldTo}m, since a pod that has a claim to that CPU suffers`
    return { ...base, kind: 'suffering', text }
  }
  if (state === 'late') {
    const text = `${key} is late: p99 ${p99Millis} ms of ${targetMillis} ms`
    return { ...base, kind: 'suffering', text }
  }
  if (state === 'waits') {
    const text = `${key} waits for a CPU ${Math.round(waitedRatio * 100)} % of the time`
    return { ...base, kind: 'suffering', text }
  }
  return Math.floor(at / 3000) % 2 === 0
    ? { ...base, kind: 'decision', text: `${key} gets ${gets}m of the ${need}m that it needs` }
    : { ...base, kind: 'resize', text: `${key} now has a request of ${row.request}m` }
}

export function search(world: World, text: string): Found {
  const nodes = world.nodes.filter((name) => name.includes(text))
  const pods = world.nodes.flatMap((node) =>
    podKeys(world, node)
      .filter((key) => key.includes(text))
      .map((key) => ({ key, node })),
  )
  const shown = nodes.slice(0, 10)
  const shownPods = pods.slice(0, 50 - shown.length)
  return {
    nodes: shown,
    pods: shownPods,
    left: nodes.length + pods.length - shown.length - shownPods.length,
  }
}

/** As the seeds' evaluation might end. */
export function comparison(world: World): ComparisonView {
  const times = Array.from({ length: 120 }, (_, i) => world.start + i * 10_000)
  const results = [
    { name: 'static', slo: 0.312, p99: 1840, throttled: 0.271, promised: 9.2, allowed: 11.0 },
    { name: 'vpa', slo: 0.118, p99: 760, throttled: 0.094, promised: 8.7, allowed: 12.4 },
    { name: 'mbcas', slo: 0.021, p99: 236, throttled: 0.012, promised: 7.9, allowed: 9.6 },
  ]
  return {
    scenario: 'seed-evaluation',
    arms: results.map(({ name, slo, p99, throttled, promised, allowed }, i) =>
      arm({
        name,
        sloViolationRatio: slo,
        p99Millis: p99,
        throttledRatio: throttled,
        promisedCores: promised,
        allowedCores: allowed,
        usedCores: 5.4 + i / 10,
        demandedCores: 5.8,
        changes: [0, 46, 381][i] ?? 0,
        jain: [0.81, 0.9, 0.97][i] ?? 0,
        restarts: [0, 2, 0][i] ?? 0,
        workloads: ['gateway', 'worker-a', 'worker-b'].map((workload) => ({
          name: workload,
          sloViolationRatio: slo,
          p99Millis: p99,
          targetMillis: 250,
          throttledRatio: throttled,
          writtenCores: promised / 4,
          promisedCores: promised / 4,
          allowedCores: allowed / 4,
          usedCores: 1.3,
          demandedCores: 1.5,
        })),
        history: {
          at: times,
          promised: times.map((_, t) => promised * (1 + 0.1 * Math.sin(t / 9 + i))),
          allowed: times.map(() => allowed),
          used: times.map((_, t) => 5.4 + 0.6 * Math.sin(t / 9)),
          violating: times.map((_, t) => Math.round(slo * 12 * (1 + Math.sin(t / 9)))),
        },
      }),
    ),
    verdicts: [
      'mbcas missed 2.1 % of SLO windows, vpa 12 %, static 31 %.',
      'mbcas promised 7.9 cores, the least of all.',
      'mbcas changed most often: 381 times, none with a restart.',
    ],
  }
}
