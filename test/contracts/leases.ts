/** Leases, as leader election and the kubelet use them. */
import assert from 'node:assert/strict'

import { leases, microTime } from '../../src/apis/lease.ts'
import type { Millis } from '../../src/core/units.ts'
import type { Case } from './case.ts'
import { refused } from './expect.ts'

const spec = (holderIdentity: string, renewTime: string) => ({
  holderIdentity,
  leaseDurationSeconds: 15,
  acquireTime: '2026-01-01T00:00:00.000000Z',
  renewTime,
  leaseTransitions: 0,
})

export const leaseCases: readonly Case[] = [
  {
    name: 'times keep six digits',
    run: async ({ kube }, { namespace }) => {
      const renewTime = microTime(1_767_225_600_123 as Millis)
      assert.equal(renewTime, '2026-01-01T00:00:00.123000Z')
      const made = await kube.create(leases, {
        metadata: { namespace, name: 'l' },
        spec: spec('one', renewTime),
      })
      assert.deepEqual(made.spec, spec('one', renewTime))
    },
  },
  {
    name: 'of two that renew from one version the second is refused',
    run: async ({ kube }, { namespace }) => {
      const at = { namespace, name: 'l' }
      const first = await kube.create(leases, {
        metadata: at,
        spec: spec('one', '2026-01-01T00:00:00.000000Z'),
      })
      const two = spec('two', '2026-01-01T00:00:01.000000Z')
      const taken = await kube.update(leases, { ...first, spec: two })
      assert.equal(taken.spec?.holderIdentity, 'two')
      await refused(
        kube.update(leases, { ...first, spec: spec('three', '2026-01-01T00:00:02.000000Z') }),
        {
          code: 409,
          reason: 'Conflict',
          said: 'Operation cannot be fulfilled on leases.coordination.k8s.io "l": the object has been modified; please apply your changes to the latest version and try again',
        },
      )
    },
  },
  {
    name: 'a second of the same name is refused',
    run: async ({ kube }, { namespace }) => {
      const lease = { metadata: { namespace, name: 'l' } }
      await kube.create(leases, lease)
      await refused(kube.create(leases, lease), {
        code: 409,
        reason: 'AlreadyExists',
        said: 'leases.coordination.k8s.io "l" already exists',
      })
    },
  },
  {
    name: 'a released lease has no holder',
    run: async ({ kube }, { namespace }) => {
      const made = await kube.create(leases, {
        metadata: { namespace, name: 'l' },
        spec: spec('one', '2026-01-01T00:00:00.000000Z'),
      })
      const released = { ...made.spec, holderIdentity: '', leaseDurationSeconds: 1 }
      const now = await kube.update(leases, { ...made, spec: released })
      assert.equal(now.spec?.holderIdentity, '')
    },
  },
  {
    name: 'a duration of 0 is refused',
    run: async ({ kube }, { namespace }) => {
      const lease = { metadata: { namespace, name: 'l' }, spec: { leaseDurationSeconds: 0 } }
      await refused(kube.create(leases, lease), {
        code: 422,
        reason: 'Invalid',
        said: 'Lease.coordination.k8s.io "l" is invalid: spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
      })
    },
  },
]
