/** Parts of the dashboard's contract: a test states only what differs. */
import type {
  ArmResult,
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
  request: 380,
  limit: 500,
  throttledRatio: 0,
  rung: 'monitor',
  isManaged: true,
  isSuffering: false,
  reason: 'its need fits',
  ...differs,
})

export const happening = (differs: Partial<Happening>): Happening => ({
  id: '1',
  at: 1000,
  kind: 'guardrail',
  text: 'raised the quota of shop/api-0 from 500m to 750m: throttled in 40 % of periods',
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
  guardrail: [],
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
    need: [380],
    request: [380],
    limit: [500],
    quota: [500],
    used: [300],
    throttledRatio: [0],
    p99Millis: [null],
  },
  decisions: [{ at: 0, request: 380, limit: 500, urgency: 'normal', reason: 'its need fits' }],
  ...differs,
})

export const arm = (differs: Partial<ArmResult>): ArmResult => ({
  name: 'mbcas',
  sloViolationRatio: 0.01,
  throttledRatio: 0.02,
  promisedCores: 4,
  allowedCores: 6,
  usedCores: 3,
  changes: 100,
  jain: 0.95,
  restarts: 0,
  workloads: [],
  history: { at: [], promised: [], allowed: [], used: [], violating: [] },
  ...differs,
})
