/**
 * A cluster for the page's tests and pictures: every figure is a formula of time, so any history
 * can be told, and the same moment always looks the same. Loads are waves; every 15 s each node
 * shares what it has in proportion to the needs.
 */
import type { ClusterHistory, NodeTile, PodRow } from '../../src/apis/dashboard.ts'

export type World = {
  readonly nodes: readonly string[]
  readonly podsPerNode: number
  /** When it began: histories do not go back further. */
  readonly start: number
}

const CLEARING_MILLIS = 15_000
const ALLOCATABLE = 4000
const RESERVE = 200
const TARGET_MILLIS = 200
const workloads = ['gateway', 'worker-a', 'worker-b', 'noise', 'cart', 'search', 'billing', 'mail']

export const createWorld = (nodes: number, podsPerNode: number, start: number): World => ({
  nodes: Array.from({ length: nodes }, (_, i) => `node-${i + 1}`),
  podsPerNode,
  start,
})

export const podKeys = ({ podsPerNode }: World, node: string): readonly string[] =>
  Array.from({ length: podsPerNode }, (_, i) => {
    const workload = workloads[i % workloads.length] ?? ''
    return `shop/${workload}-${node.slice('node-'.length)}-${Math.floor(i / workloads.length)}`
  })

export const nodeOf = (world: World, key: string): string | undefined => {
  const node = `node-${/-(\d+)-\d+$/.exec(key)?.[1] ?? ''}`
  return world.nodes.includes(node) && podKeys(world, node).includes(key) ? node : undefined
}

/** From 0 to 1, the same for the same text. */
function chance(text: string): number {
  let value = 7
  for (const letter of text) value = (value * 31 + letter.charCodeAt(0)) % 100_003
  return value / 100_003
}

/** Two waves, and from time to time a burst. */
function demandAt(key: string, at: number): number {
  const [size, phase] = [chance(key), chance(`${key} phase`)]
  const seconds = at / 1000
  const slow = Math.sin(2 * Math.PI * (seconds / (240 + 200 * phase) + phase))
  const quick = Math.sin(2 * Math.PI * (seconds / 11 + size))
  const bursts = (seconds / 90 + phase) % 1 < 0.18 ? 1.6 : 1
  return Math.round((140 + 420 * size) * (1 + 0.55 * slow + 0.08 * quick) * bursts)
}

type Share = { readonly need: number; readonly gets: number; readonly price: number }

/** What each pod needs and gets in the last clearing. */
function clear(world: World, node: string, at: number): ReadonlyMap<string, Share> {
  const cleared = Math.floor(at / CLEARING_MILLIS) * CLEARING_MILLIS
  const needs = podKeys(world, node).map(
    (key) => [key, Math.round(demandAt(key, cleared) * 1.15)] as const,
  )
  const sum = needs.reduce((all, [, need]) => all + need, 0)
  const ratio = Math.min(1, (ALLOCATABLE - RESERVE) / sum)
  const price = ratio < 1 ? Number((1 / ratio / 1000).toPrecision(4)) : 0
  return new Map(needs.map(([key, need]) => [key, { need, gets: Math.floor(need * ratio), price }]))
}

export function rowAt(world: World, node: string, key: string, at: number): PodRow {
  const { need, gets, price } = clear(world, node, at).get(key) ?? { need: 0, gets: 0, price: 0 }
  const demand = demandAt(key, at)
  const isShort = price > 0
  const ceiling = key.includes('mail') ? 700 : undefined
  const used = Math.min(isShort ? Math.min(demand, gets) : demand, ceiling ?? Infinity)
  const waitedRatio = isShort && demand > used ? (demand - used) / demand : 0
  const hasTarget = !key.includes('noise')
  const p99 = Math.round(90 + 60 * chance(`${key} ${Math.floor(at / 5000)}`) + 900 * waitedRatio)
  const isLate = isShort && hasTarget && p99 > TARGET_MILLIS
  const state = isLate ? 'late' : waitedRatio > 0.25 ? 'waits' : 'well'
  const entitled = entitledTo(key)
  const isInLane = used < entitled
  const shareRatio = gets / ALLOCATABLE
  const most = ceiling === undefined ? 'all it wants' : `up to its ceiling of ${ceiling}m`
  const share = `gets ${Math.round(100 * shareRatio)} % of the node while it is full, and ${most} otherwise`
  return {
    key,
    node,
    used,
    demand,
    need,
    floor: Math.min(need, entitled),
    entitled,
    gets,
    shareRatio,
    shares: Math.round((isInLane ? 300 * entitled : gets) * 1.024),
    isInLane,
    request: Math.min(entitled, Math.round(gets * 0.9)),
    limit: 500,
    ...(ceiling === undefined ? {} : { ceiling }),
    ...(key.includes('noise') && isShort ? { heldTo: Math.round(gets * 0.9) } : {}),
    throttledRatio: 0,
    waitedRatio,
    ...(hasTarget ? { p99Millis: p99, targetMillis: TARGET_MILLIS } : {}),
    state,
    paid: price * gets,
    isManaged: true,
    isSuffering: state !== 'well',
    reason: isShort
      ? `${share}; gets ${gets}m of the ${need}m it needs: capacity is short`
      : `${share}; needs ${need}m of the ${entitled}m that it is entitled to`,
  }
}

const entitledTo = (key: string): number => Math.round((140 + 420 * chance(key)) / 50) * 50

export const rowsAt = (world: World, node: string, at: number): readonly PodRow[] =>
  podKeys(world, node).map((key) => rowAt(world, node, key, at))

export function tileAt(world: World, name: string, at: number): NodeTile {
  const rows = rowsAt(world, name, at)
  const sum = (value: (row: PodRow) => number): number =>
    rows.reduce((all, row) => all + value(row), 0)
  const price = clear(world, name, at).values().next().value?.price ?? 0
  return {
    name,
    mode: price > 0.0013 ? 'overloaded' : price > 0 ? 'congested' : 'uncongested',
    allocatable: ALLOCATABLE,
    capacity: ALLOCATABLE - RESERVE,
    sold: sum(({ gets = 0 }) => gets),
    used: sum(({ used }) => used),
    ...(price > 0 ? { price } : {}),
    pods: rows.length,
    suffering: rows.filter(({ isSuffering }) => isSuffering).length,
    clearedAt: Math.floor(at / CLEARING_MILLIS) * CLEARING_MILLIS,
  }
}

/** The samples from the start to now, a second apart, at most so many. */
export const sampleTimes = ({ start }: World, now: number, most: number): readonly number[] => {
  const samples = Math.min(most, Math.floor((now - start) / 1000) + 1)
  return Array.from({ length: samples }, (_, i) => now - (samples - 1 - i) * 1000)
}

/** From the first few nodes: of a thousand, all would take seconds. */
export function clusterHistory(world: World, times: readonly number[]): ClusterHistory {
  const few = world.nodes.slice(0, 4)
  const factor = few.length === 0 ? 0 : world.nodes.length / few.length
  const tiles = times.map((at) => few.map((name) => tileAt(world, name, at)))
  const column = (value: (tile: NodeTile) => number): number[] =>
    tiles.map((all) => Math.round(all.reduce((sum, tile) => sum + value(tile), 0) * factor))
  return {
    at: times,
    capacity: column(({ capacity }) => capacity),
    promised: column(({ sold }) => sold * 0.9),
    sold: column(({ sold }) => sold),
    used: column(({ used }) => used),
    price: tiles.map((all) => Math.max(0, ...all.map(({ price = 0 }) => price)) || null),
    suffering: column(({ suffering }) => suffering),
  }
}
