import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'

import { cpu, podObject } from '../../../test/controller-pods.ts'
import { millicores } from '../../core/units.ts'
import { createNodeLedger, type NodeLedger } from './node-ledger.ts'
import { seePod, type SeenPod } from './seen-pod.ts'

const pod = (name: string, request: string, version = '1'): SeenPod =>
  seePod(
    podObject({
      metadata: { name, uid: `uid-${name}`, resourceVersion: version },
      spec: { containers: [{ name: 'app', resources: cpu(request) }] },
      status: { containerStatuses: [] },
    }),
  )

void describe('apps/controller: the claims on a node', () => {
  let cache: Map<string, SeenPod>
  let ledger: NodeLedger
  const add = (now: SeenPod): string | undefined => {
    const before = cache.get(now.key)
    cache.set(now.key, now)
    const { key } = now
    return ledger.note(
      before === undefined ? { type: 'added', key, now } : { type: 'updated', key, before, now },
    )
  }

  beforeEach(() => {
    cache = new Map()
    ledger = createNodeLedger((key) => cache.get(key))
  })

  void test('of a pod are those of all others', () => {
    const web = pod('web', '100m')
    for (const one of [web, pod('api', '200m'), pod('db', '300m')]) add(one)
    assert.equal(ledger.othersOf(web), 500)
  })

  void test('fall when a pod shrinks or goes, which is told', () => {
    const web = pod('web', '100m')
    const api = pod('api', '200m')
    assert.equal(add(web), undefined)
    assert.equal(add(api), undefined)
    assert.equal(add(pod('api', '300m')), undefined)
    assert.equal(add(pod('api', '50m')), 'node-0')
    assert.equal(ledger.othersOf(web), 50)
    const before = cache.get(api.key)
    assert.ok(before)
    assert.equal(ledger.note({ type: 'deleted', key: api.key, before }), 'node-0')
    assert.equal(ledger.othersOf(web), 0)
  })

  void test('have a raise among them from before it is sent until the cache shows it', () => {
    const web = pod('web', '100m')
    const api = pod('api', '200m')
    add(web)
    add(api)
    ledger.promise(api, millicores(300))
    assert.equal(ledger.othersOf(web), 500)
    assert.equal(ledger.othersOf(api), 100, 'its own is not another')
    ledger.keep(api, '9')
    assert.equal(ledger.othersOf(web), 500)
    add(pod('api', '200m', '8'))
    assert.equal(ledger.othersOf(web), 500, 'an older version does not show it')
    add(pod('api', '500m', '9'))
    assert.equal(ledger.othersOf(web), 500, 'it counts once')
    add(pod('api', '250m', '10'))
    assert.equal(ledger.othersOf(web), 250, 'and is forgotten')
  })

  void test('lose a raise that was refused, that was never answered, or whose pod is gone', () => {
    const web = pod('web', '100m')
    const api = pod('api', '200m')
    add(web)
    add(api)
    ledger.promise(api, millicores(300))
    ledger.takeBack(api)
    assert.equal(ledger.othersOf(web), 200)
    ledger.promise(api, millicores(300))
    ledger.takeBackUnanswered(api)
    assert.equal(ledger.othersOf(web), 200)
    ledger.promise(api, millicores(300))
    ledger.keep(api, '9')
    ledger.takeBackUnanswered(api)
    assert.equal(ledger.othersOf(web), 500, 'this one was answered')
    cache.delete(api.key)
    ledger.note({ type: 'deleted', key: api.key, before: api })
    assert.equal(ledger.othersOf(web), 0)
  })
})
