import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { manualClock } from '../../test/manual-clock.ts'
import { type KubeRequest, memoryKube } from '../../test/memory-kube.ts'
import { verticalPodAutoscalers } from '../apis/vpa.ts'
import { ApiError, missingTypeWords } from '../ports/kube.ts'
import { startOptionalCache } from './optional-cache.ts'

function start(answer: () => Error | undefined) {
  const clock = manualClock()
  const lines: string[] = []
  const lists: KubeRequest[] = []
  const kube = memoryKube({
    before: (request) => {
      if (request.verb === 'list') lists.push(request)
      const error = answer()
      if (error !== undefined) throw error
    },
  })
  const ended = new AbortController()
  const cache = startOptionalCache({
    kube,
    clock,
    random: () => 0.5,
    log: (level, message) => lines.push(`${level} ${message}`),
    signal: ended.signal,
    resource: verticalPodAutoscalers,
    keep: {},
    project: ({ metadata }) => metadata.name ?? '',
    indexes: { name: (name: string) => [name] },
  })
  const stop = async (): Promise<void> => {
    ended.abort()
    await cache.stopped
  }
  return { clock, kube, cache, lines, lists, stop }
}

const missing = new ApiError('list', { code: 404, reason: 'NotFound', said: missingTypeWords })

void describe('runtime/optional-cache: a resource that the server may lack', () => {
  void test('is empty, known to be so, and said once; it is found when it is there', async () => {
    let isThere = false
    const { clock, kube, cache, lines, lists, stop } = start(() => (isThere ? undefined : missing))
    assert.equal(cache.hasSynced(), false)
    await clock.advance(400_000)
    assert.equal(cache.hasSynced(), true)
    assert.deepEqual(cache.byIndex('name', 'web'), [])
    assert.deepEqual(lines, ['info resource not served'])
    assert.equal(lists.length, 3)
    isThere = true
    const spec = { targetRef: { kind: 'Deployment', name: 'web' } }
    await kube.create(verticalPodAutoscalers, {
      metadata: { namespace: 'shop', name: 'web' },
      spec,
    })
    await clock.advance(200_000)
    assert.equal(cache.get('shop/web'), 'web')
    await stop()
  })

  void test('is not taken to lack by a server that does not say', async () => {
    let error: Error | undefined = new Error('no connection')
    const { clock, cache, stop } = start(() => error)
    await clock.advance(60_000)
    assert.equal(cache.hasSynced(), false)
    error = undefined
    await clock.advance(10_000)
    assert.equal(cache.hasSynced(), true)
    await stop()
  })
})
