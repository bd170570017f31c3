import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import type { LimitRange } from '../../apis/limit-range.ts'
import type { ResourceQuota } from '../../apis/resource-quota.ts'
import { boundsOf, roomsOf } from './namespace-bounds.ts'

void describe('apps/controller: what a namespace allows', () => {
  const bound = { limitRange: 'r', min: undefined, max: undefined, maxRatio: undefined }
  const ranges: readonly { name: string; limits: LimitRange['spec']; gives: object[] }[] = [
    {
      name: 'of a container and of a pod',
      limits: {
        limits: [
          { type: 'Container', max: { cpu: '2' }, min: { cpu: '50m' } },
          { type: 'Pod', max: { cpu: '4' }, maxLimitRequestRatio: { cpu: '1500m' } },
        ],
      },
      gives: [
        { ...bound, of: 'Container', max: 2000, min: 50, defaults: [] },
        { ...bound, of: 'Pod', max: 4000, maxRatio: 1.5 },
      ],
    },
    {
      name: 'what it writes into containers that lack it',
      limits: {
        limits: [{ type: 'Container', default: { cpu: '1' }, defaultRequest: { cpu: '100m' } }],
      },
      gives: [{ ...bound, of: 'Container', defaults: ['request', 'limit'] }],
    },
    {
      name: 'nothing of volumes',
      limits: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '1Gi' } }] },
      gives: [],
    },
  ]
  each(ranges, ({ limits, gives }) =>
    assert.deepEqual(
      boundsOf([{ metadata: { name: 'r' }, ...(limits && { spec: limits }) }]),
      gives,
    ),
  )

  const counted = {
    hard: { 'requests.cpu': '2', 'limits.cpu': '4' },
    used: { 'requests.cpu': '1' },
  }
  const room = { quota: 'q', of: 'request', hard: 2000, used: 1000 }
  const quotas: readonly (Omit<ResourceQuota, 'metadata'> & { name: string; gives: object[] })[] = [
    { name: 'a quota leaves what it counts', status: counted, gives: [room] },
    {
      name: 'cpu is the old name of requests.cpu',
      status: { hard: { cpu: '2' }, used: { cpu: '1' } },
      gives: [room],
    },
    {
      name: 'a quota for all that is not BestEffort is for all that we resize',
      spec: { scopes: ['NotBestEffort'] },
      status: counted,
      gives: [room],
    },
    {
      name: 'a quota for some pods is left to the server',
      spec: { scopes: ['Terminating'] },
      status: counted,
      gives: [],
    },
    {
      name: 'so is one with a selector',
      spec: { scopeSelector: {} },
      status: counted,
      gives: [],
    },
  ]
  each(quotas, ({ gives, spec = {}, status = {} }) =>
    assert.deepEqual(roomsOf([{ metadata: { name: 'q' }, spec, status }]), gives),
  )
})
