/** Pods of every kind that is treated differently on a real node, and the namespaces that they are in. */
import { settings } from '../../src/apis/names.ts'
import { burn, idle, type PodWish } from '../real/real-pods.ts'
import type { RealStage } from './real-stage.ts'

const upTo = (cpu: string, more: object = {}) => ({
  annotations: { [settings.maxCpu]: cpu, ...more },
})
const from = (cpu: string) => ({ annotations: { [settings.minCpu]: cpu } })

/** Together they want less than there is, so that nobody has to wait for a share. */
export const kinds: readonly PodWish[] = [
  { name: 'hot', work: burn, request: '30m', limit: '50m', ...upTo('150m') },
  { name: 'resting', work: idle, request: '50m', limit: '500m' },
  { name: 'shrunk', work: idle, request: '200m', limit: '300m', ...from('200m') },
  {
    name: 'many',
    work: burn,
    request: '30m',
    limit: '50m',
    beside: { log: { work: idle, request: '20m', limit: '50m' } },
    sidecars: { proxy: { work: burn, request: '20m', limit: '30m' } },
    ...upTo('250m'),
  },
  { name: 'unlimited', work: idle, request: '200m' },
  {
    name: 'sure',
    work: burn,
    request: '60m',
    limit: '60m',
    memory: '32Mi',
    ...upTo('120m', { [settings.guaranteed]: 'manage' }),
  },
  { name: 'ranged', namespace: 'ranged', work: burn, request: '30m', limit: '50m' },
  {
    name: 'rationed',
    namespace: 'rationed',
    work: burn,
    request: '30m',
    limit: '50m',
    ...upTo('150m'),
  },
  {
    name: 'fragile',
    work: idle,
    request: '30m',
    limit: '50m',
    resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }],
  },
  {
    name: 'own-cpu',
    nodeName: 'node-1',
    work: idle,
    request: '1',
    limit: '1',
    memory: '32Mi',
    annotations: { [settings.guaranteed]: 'manage' },
  },
]

/** In two of them no more than 100m may be had. */
export async function prepareNamespaces({ apply }: RealStage): Promise<void> {
  for (const name of ['tries', 'ranged', 'rationed'])
    await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  await apply({
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: 'bounds', namespace: 'ranged' },
    spec: { limits: [{ type: 'Container', max: { cpu: '100m' } }] },
  })
  await apply({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'team', namespace: 'rationed' },
    spec: { hard: { 'limits.cpu': '100m' } },
  })
}
