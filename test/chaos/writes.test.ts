/** What the client promises of writes in a bad network: nothing is done twice, nothing is made up. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { faultKinds } from '../../src/apis/fault-file.ts'
import { ApiError, ConnectionFailed } from '../../src/ports/kube.ts'
import type { SimCluster } from '../../src/sim/cluster.ts'
import { clientOf, faultsThatCame, inCluster, plantedFaults } from './embedded.ts'
import { configMaps } from './watching.ts'

const namespace = 'default'
const tries = 400

const writeFaults = faultKinds.filter((kind) => !/watch|expired/.test(kind))
const plantAll = ({ plant }: SimCluster) =>
  plant(plantedFaults(writeFaults.map((kind) => ({ kind, share: 0.08, userAgent: 'writer' }))))

const inParallel = async (count: number, work: (index: number) => Promise<void>) => {
  let started = 0
  const worker = async () => {
    while (started < count) await work((started += 1))
  }
  await Promise.all(Array.from({ length: 4 }, worker))
}

void describe('chaos: writes', () => {
  void test('a create makes one object, or none, as its answer says', async () => {
    await inCluster(1, async (cluster) => {
      plantAll(cluster)
      const kube = clientOf(cluster, 'writer')
      /** By the number of the create: what a later list may show. */
      const allowed = new Map<string, readonly number[]>()
      await inParallel(tries, async (index) => {
        const value = String(index)
        const object = { metadata: { generateName: 'made-', namespace }, data: { value } }
        try {
          await kube.create(configMaps, object)
          allowed.set(value, [1])
        } catch (error) {
          if (error instanceof ApiError) allowed.set(value, [0])
          else if (error instanceof ConnectionFailed) allowed.set(value, [0, 1])
          else throw error
        }
      })
      const { items } = await clientOf(cluster, 'reader').list(configMaps, { namespace })
      const wrong = [...allowed].filter(([value, counts]) => {
        const made = items.filter(({ data }) => data?.['value'] === value).length
        return !counts.includes(made)
      })
      assert.deepEqual(wrong, [])
      const outcomes = new Set(Array.from(allowed.values(), String))
      assert.deepEqual([...outcomes].toSorted(), ['0', '0,1', '1'])
      assert.deepEqual(Object.keys(faultsThatCame(cluster)), writeFaults.toSorted())
      assert.ok(kube.stats().retries > 10)
    })
  })

  void test('an update of a version is done once, however often it is sent', async () => {
    await inCluster(2, async (cluster) => {
      const at = { namespace, name: 'counter' }
      const reader = clientOf(cluster, 'reader')
      await reader.create(configMaps, { metadata: at, data: { count: '0' } })
      plantAll(cluster)
      const kube = clientOf(cluster, 'writer')
      await inParallel(tries, async (index) => {
        for (;;) {
          const held = await reader.get(configMaps, at)
          const { count = '', ...marks } = held.data ?? {}
          if (marks[`by-${index}`] !== undefined) return // it was done, though the answer was lost
          const data = { ...marks, [`by-${index}`]: '', count: String(Number(count) + 1) }
          try {
            await kube.update(configMaps, { metadata: held.metadata, data })
          } catch (error) {
            if (!(error instanceof ApiError || error instanceof ConnectionFailed)) throw error
          }
        }
      })
      const { count, ...marks } = (await reader.get(configMaps, at)).data ?? {}
      assert.deepEqual([count, Object.keys(marks).length], [String(tries), tries])
      assert.deepEqual(Object.keys(faultsThatCame(cluster)), writeFaults.toSorted())
    })
  })
})
