/** For tests of the dashboard: rows, tiles, agents' answers, where a test states only what differs. */
import type { NodeTile, PodRow } from '../../src/apis/dashboard.ts'
import type { NodeView, PodView } from '../../src/apis/node-view.ts'
import type { NodeStanding } from '../../src/apps/dashboard/standing.ts'

export const row = (given: Partial<PodRow> = {}): PodRow => ({
  key: 'shop/api',
  node: 'n1',
  used: 80,
  demand: 90,
  request: 100,
  limit: 200,
  throttledRatio: 0,
  waitedRatio: 0,
  state: 'well',
  isManaged: true,
  isSuffering: false,
  reason: 'gets its need',
  ...given,
})

export const tile = (given: Partial<NodeTile> = {}): NodeTile => ({
  name: 'n1',
  mode: 'uncongested',
  allocatable: 4000,
  capacity: 3600,
  sold: 1000,
  used: 500,
  price: 0,
  pods: 1,
  suffering: 0,
  ...given,
})

export const standing = (given: {
  readonly tile?: NodeTile
  readonly pods?: readonly Partial<PodRow>[]
}): NodeStanding => ({
  tile: given.tile ?? tile(),
  isSilent: false,
  reserve: 400,
  held: 0,
  promised: 100,
  managedPods: 1,
  rows: (given.pods ?? [{}]).map(row),
  bids: new Map(),
})

export const podView = (given: Partial<PodView> = {}): PodView => ({
  uid: 'u1',
  namespace: 'shop',
  name: 'api',
  used: 80,
  demand: 90,
  request: 100,
  limit: 200,
  throttledRatio: 0,
  waitedRatio: 0,
  isSuffering: false,
  isInLane: true,
  state: 'well',
  bid: {
    floor: 50,
    need: 100,
    ceiling: 1000,
    weight: 1,
    entitled: 150,
    shareRatio: 0.25,
    gets: 100,
  },
  reason: 'gets its need',
  ...given,
})

export const nodeView = (given: Partial<NodeView> = {}): NodeView => ({
  node: 'n1',
  at: Date.UTC(2026, 0, 1),
  market: {
    at: Date.UTC(2026, 0, 1),
    mode: 'uncongested',
    allocatable: 4000,
    reserve: 400,
    held: 0,
    capacity: 3600,
    sold: 100,
    price: 0,
  },
  pods: [podView()],
  ...given,
})
