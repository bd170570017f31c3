import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { projectResourceQuota } from './resource-quota.ts'

void describe('apis/resource-quota', () => {
  void test('of a quota, its CPU and whether it is for some pods only is kept', () => {
    const metadata = { name: 'team', namespace: 'shop' }
    const kept = projectResourceQuota({
      metadata: { ...metadata, uid: 'u1', labels: { a: 'b' } },
      spec: {
        scopes: ['NotBestEffort'],
        scopeSelector: { matchExpressions: [{ operator: 'In' }] },
      },
      status: {
        hard: { cpu: '2', 'limits.cpu': '4', memory: '1Gi' },
        used: { cpu: '500m', 'limits.cpu': '1', pods: '3' },
      },
    })
    assert.deepEqual(kept, {
      metadata,
      spec: { scopes: ['NotBestEffort'], scopeSelector: {} },
      status: { hard: { cpu: '2', 'limits.cpu': '4' }, used: { cpu: '500m', 'limits.cpu': '1' } },
    })
    assert.deepEqual(projectResourceQuota(kept), kept)
  })

  void test('one that was not counted yet has nothing', () => {
    const { status } = projectResourceQuota({ metadata: { name: 'team' } })
    assert.deepEqual(status, { hard: {}, used: {} })
  })
})
