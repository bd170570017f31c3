import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { managedBy, nodeCpus } from '../../../test/node-cpus.ts'
import { createPods, loadedPod, onPlatform } from '../../../test/platform.ts'
import { pods } from '../../apis/pod.ts'
import type { NodeCpus } from '../../core/cpu/node-cpus.ts'
import type { MachineUsage } from '../../ports/cgroup.ts'
import { createIdleCpu } from './idle-cpu.ts'

const CPUS = 4
const all = { cpus: CPUS, ownCores: 0 }

/** A machine that is as busy as it is told to be, looked at four times a second. */
function machine() {
  let [atMicros, usageMicros] = [0, 0]
  const idle = createIdleCpu({ machine: () => ({ atMicros, usageMicros }) })
  const look = () => idle.look({ ...all, usedCores: () => assert.fail('the kernel tells') })
  look()
  const pass = (seconds: number, cores: number, stepMicros = 250_000) => {
    for (let left = seconds * 1e6; left > 0; left -= stepMicros) {
      atMicros += stepMicros
      usageMicros += stepMicros * cores
      look()
    }
  }
  return { ...idle, pass, reset: () => void (usageMicros = 0) }
}

void describe('idle CPU', () => {
  void test('is there until something else is known', () => {
    const { hasIdleCpu, isContended } = machine()
    assert.deepEqual([hasIdleCpu(), isContended()], [true, false])
  })

  void test('is there beside a busy machine that is not full, where waiting is worth a look', () => {
    const { pass, hasIdleCpu, isContended } = machine()
    pass(10, 0.9 * CPUS)
    assert.deepEqual([hasIdleCpu(), isContended()], [true, true])
  })

  void test('is gone after some seconds at full use, not after a moment', () => {
    const { pass, hasIdleCpu } = machine()
    pass(1, CPUS)
    assert.equal(hasIdleCpu(), true)
    pass(10, CPUS)
    assert.equal(hasIdleCpu(), false)
    pass(1, 0)
    assert.equal(hasIdleCpu(), true)
  })

  void test('looks that come too close are not counted', () => {
    const { pass, hasIdleCpu } = machine()
    pass(20, CPUS, 10_000)
    assert.equal(hasIdleCpu(), false, 'together they are')
  })

  void test('counters that begin anew count as idle, not as full', () => {
    const { pass, reset, hasIdleCpu } = machine()
    pass(10, CPUS)
    reset()
    pass(0.25, CPUS)
    assert.equal(hasIdleCpu(), true)
    pass(10, CPUS)
    assert.equal(hasIdleCpu(), false)
  })

  void test('is by the use of pods where a kernel does not tell of the machine', () => {
    const idle = createIdleCpu({ machine: (): MachineUsage | undefined => undefined })
    idle.look({ ...all, usedCores: () => 2 })
    assert.deepEqual([idle.hasIdleCpu(), idle.isContended()], [true, false])
    idle.look({ ...all, usedCores: () => 3.9 })
    assert.deepEqual([idle.hasIdleCpu(), idle.isContended()], [false, true])
  })
})

void describe('a node whose kubelet gave six of its eight CPUs to one container', () => {
  const sixBusy = 'steady cpu=6 threads=6'
  each(
    [
      { name: 'is full when the two others are, however idle the six', db: 'idle', cores: 2 },
      { name: 'is not full when the six are', db: sixBusy, cores: 0.5 },
      { name: 'is full when all are', db: sixBusy, cores: 2 },
    ],
    async ({ db, cores }) => {
      let known: NodeCpus | undefined
      const source = { current: () => known, refresh: async () => undefined }
      await onPlatform({ cpus: 8, nodeCpus: source }, async ({ kube, pass, agent, metrics }) => {
        const hog = { load: `steady cpu=${cores} threads=2`, request: '100m', limit: '' }
        await createPods(kube, [
          loadedPod('db', { load: db, request: '6', limit: '6', memory: '1Gi' }),
          loadedPod('hog', hog),
          loadedPod('other', hog),
        ])
        const { metadata } = await kube.get(pods, { namespace: 'default', name: 'db' })
        const exclusive = new Map([[metadata.uid ?? '', new Map([['app', [2, 3, 4, 5, 6, 7]]])]])
        known = nodeCpus({ settings: managedBy('static'), exclusive, shared: [0, 1] })
        await pass(60)
        const isFull = cores === 2
        const credits = /mbcas_lane_credits_seconds\{.*pod="hog".*\} (\S+)/.exec(metrics.render())
        assert.equal(Number(credits?.[1]), isFull ? -1.5 : 0, 'its debts')
        assert.equal((agent.view().market?.price ?? 0) > 0, isFull)
      })
    },
  )
})
