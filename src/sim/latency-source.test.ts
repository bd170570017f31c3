import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { parseLoad } from '../apis/load.ts'
import { seededRandom } from '../core/random.ts'
import { createNodeKernel } from './kernel/node-kernel.ts'
import { readSimulatedLatencies } from './latency-source.ts'

const cpu = { shares: 1024, quotaMicros: null, periodMicros: 100_000, burstMicros: 0 }
const web = { namespace: 'default', name: 'web' }
const { signal } = new AbortController()

/** A pod of one container that serves, and what is told of it second by second. */
function stage(load: string) {
  let now = 0
  const agenda = { now: () => now, at: () => () => {} }
  const kernel = createNodeKernel({ agenda, cpus: 4, random: seededRandom(1) })
  kernel.add({ id: 'c', podUid: 'p', cpu, load: parseLoad(load) })
  const pod = { status: { containerStatuses: [{ containerID: 'containerd://c' }] } }
  const find = (_: unknown, { name }: { readonly name: string }) =>
    name === web.name ? (pod as never) : undefined
  const source = readSimulatedLatencies({ api: { find }, agenda, kernel })
  const watch = async (seconds: number): Promise<number | undefined> => {
    let told: number | undefined
    for (let i = 0; i < seconds; i += 1) {
      now += 1000
      const { p99Millis } = await source.read([web, { ...web, name: 'other' }], signal)
      told = p99Millis.get('default/web')
      assert.equal(p99Millis.get('default/other'), undefined)
    }
    return told
  }
  return { kernel, watch }
}

void describe('the latency of simulated pods', () => {
  void test('is p99 of what was answered in the last ten seconds', async () => {
    const { kernel, watch } = stage('requests rate=100 cpu=2ms threads=4 seed=1')
    const fast = (await watch(30)) ?? NaN
    assert.ok(fast < 5, `${fast}`)
    kernel.setLoad('c', parseLoad('requests rate=100 cpu=20ms threads=4 seed=1'))
    const slow = (await watch(15)) ?? NaN
    assert.ok(slow >= 19.5, `${slow}`)
    kernel.setLoad('c', parseLoad('requests rate=100 cpu=2ms threads=4 seed=1'))
    const again = (await watch(15)) ?? NaN
    assert.ok(again < 5, `${again}`)
  })

  void test('is not known of a pod that answered nothing lately', async () => {
    const { kernel, watch } = stage('requests rate=100 cpu=2ms seed=1')
    assert.notEqual(await watch(10), undefined)
    kernel.setLoad('c', parseLoad('requests rate=0 cpu=2ms'))
    assert.equal(await watch(15), undefined)
  })

  void test('is not known of what serves nothing', async () => {
    assert.equal(await stage('steady cpu=1').watch(15), undefined)
  })
})
