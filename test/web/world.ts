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
  const used = Math.min(demand, gets)
  const throttledRatio = demand > gets ? Math.min(1, (demand - gets) / demand) : 0
  const hasTarget = !key.includes('noise')
  const p99 = Math.round(90 + 60 * chance(`${key} ${Math.floor(at / 5000)}`) + 900 * throttledRatio)
  return {
    key,
    node,
    used,
    demand,
    need,
    floor: 100,
    request: Math.round(gets * 0.9),
    limit: gets,
    quota: throttledRatio > 0.1 ? Math.round(gets * 1.2) : gets,
    throttledRatio,
    ...(hasTarget ? { p99Millis: p99, targetMillis: TARGET_MILLIS } : {}),
    rung: throttledRatio > 0.2 ? 'yield' : throttledRatio > 0.1 ? 'warn' : 'monitor',
    paid: price * gets,
    isManaged: true,
    isSuffering: throttledRatio > 0.1,
    reason:
      price > 0
        ? `needs ${need}m; the node is short, so it got ${gets}m: ${Math.round((gets / need) * 100)} % of its need, as all others`
        : `needs ${need}m, which is there: demand ${demand}m and head-room`,
  }
}

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
    sold: sum(({ limit = 0 }) => limit),
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
