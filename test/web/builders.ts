/** Parts of the dashboard's contract: a test states only what differs. */
import type {
  ArmResult,
  WorkloadResult,
  ClusterView,
  Happening,
  NodeTile,
  PodDetail,
  PodRow,
} from '../../src/apis/dashboard.ts'

export const nodeTile = (differs: Partial<NodeTile>): NodeTile => ({
  name: 'node-1',
  mode: 'uncongested',
  allocatable: 4000,
  capacity: 3600,
  sold: 1800,
  used: 1200,
  pods: 6,
  suffering: 0,
  ...differs,
})

export const podRow = (differs: Partial<PodRow>): PodRow => ({
  key: 'shop/api-0',
  node: 'node-1',
  used: 300,
  demand: 320,
  need: 380,
  floor: 100,
  entitled: 400,
  gets: 380,
  shareRatio: 0.2,
  request: 380,
  limit: 500,
  throttledRatio: 0,
  waitedRatio: 0,
  state: 'well',
  isManaged: true,
  isSuffering: false,
  reason: 'its need fits',
  ...differs,
})

export const happening = (differs: Partial<Happening>): Happening => ({
  id: '1',
  at: 1000,
  kind: 'suffering',
  text: 'shop/api-0 waits for a CPU 40 % of the time',
  ...differs,
})

export const clusterView = (differs: Partial<ClusterView>): ClusterView => ({
  at: 1000,
  totals: {
    nodes: 1,
    pods: 6,
    managedPods: 6,
    sufferingPods: 0,
    allocatable: 4000,
    capacity: 3600,
    sold: 1800,
    promised: 1800,
    used: 1200,
  },
  history: {
    at: [0, 1000],
    capacity: [3600, 3600],
    promised: [1700, 1800],
    sold: [1700, 1800],
    used: [1100, 1200],
    price: [null, null],
    suffering: [0, 0],
  },
  nodes: [],
  sufferedLately: [],
  suffering: [],
  troubles: [],
  ...differs,
})

export const podDetail = (differs: Partial<PodDetail>): PodDetail => ({
  at: 1000,
  row: podRow({}),
  restarts: 0,
  history: {
    at: [0],
    demand: [320],
    gets: [380],
    entitled: [400],
    request: [380],
    ceiling: [null],
    used: [300],
    waitedRatio: [0],
    throttledRatio: [0],
    p99Millis: [null],
  },
  decisions: [{ at: 0, request: 380, limit: 500, urgency: 'normal', reason: 'its need fits' }],
  ...differs,
})

export const workload = (differs: Partial<WorkloadResult>): WorkloadResult => ({
  name: 'web',
  throttledRatio: 0,
  writtenCores: 1,
  promisedCores: 1,
  allowedCores: 2,
  usedCores: 0.5,
  demandedCores: 0.5,
  ...differs,
})

export const arm = (differs: Partial<ArmResult>): ArmResult => ({
  name: 'mbcas',
  sloViolationRatio: 0.01,
  throttledRatio: 0.02,
  writtenCores: 4,
  promisedCores: 4,
  allowedCores: 6,
  usedCores: 3,
  demandedCores: 3.2,
  changes: 100,
  jain: 0.95,
  pendingPods: 0,
  restarts: 0,
  workloads: [],
  history: { at: [], promised: [], allowed: [], used: [], violating: [] },
  ...differs,
})
