import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { manualClock } from '../../test/manual-clock.ts'
import { memoryKube } from '../../test/memory-kube.ts'
import { leases, microTime } from '../apis/lease.ts'
import { millis } from '../core/units.ts'
import { leaseHold } from './leader-lease.ts'

const place = { namespace: 'mbcas-system', name: 'controller' }

function world() {
  const clock = manualClock()
  const server = memoryKube()
  const candidate = (identity: string, leaseDuration = 15_000) =>
    leaseHold({ kube: server, clock }, place, { identity, leaseDuration })
  return { clock, server, candidate }
}

void describe('runtime/leader-lease', () => {
  void test('of two that find the lease free one gets it', async () => {
    const { server, candidate } = world()
    const outcomes = await Promise.allSettled(
      ['a', 'b'].map(async (id) => candidate(id).hold(1000)),
    )
    assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    const { spec } = await server.get(leases, place)
    assert.match(spec?.holderIdentity ?? '', /^[ab]$/)
  })

  void test('the lease of another is not released', async () => {
    const { clock, server, candidate } = world()
    const a = candidate('a')
    const b = candidate('b')
    await a.hold(1000)
    await b.hold(1000)
    await clock.advance(15_000)
    assert.deepEqual(await b.hold(1000), { held: true, since: 15_000 })
    const before = await server.get(leases, place)
    await a.release(1000)
    assert.deepEqual(await server.get(leases, place), before)
  })

  void test('what others wrote in the lease is kept', async () => {
    const { server, candidate } = world()
    const labels = { team: 'compute' }
    const spec = { holderIdentity: '', strategy: 'OldestEmulationVersion' }
    await server.create(leases, { metadata: { ...place, labels }, spec })
    const a = candidate('a')
    await a.hold(1000)
    await a.release(1000)
    const left = await server.get(leases, place)
    assert.deepEqual(left.metadata.labels, labels)
    assert.deepEqual({ ...left.spec, strategy: '' }, { ...left.spec, ...spec, strategy: '' })
    assert.equal(new Map(Object.entries(left.spec ?? {})).get('strategy'), spec.strategy)
  })

  void test('a duration is rounded up to whole seconds', async () => {
    const { server, candidate } = world()
    await candidate('a', 1500).hold(1000)
    assert.equal((await server.get(leases, place)).spec?.leaseDurationSeconds, 2)
  })

  void test('a deleted lease is created anew by its holder', async () => {
    const { server, candidate } = world()
    const a = candidate('a')
    await a.hold(1000)
    await server.remove(leases, place)
    assert.equal((await a.hold(1000)).held, true)
  })

  void test('a time has six digits after the second', () => {
    assert.equal(microTime(millis(1_767_225_600_007)), '2026-01-01T00:00:00.007000Z')
  })
})
