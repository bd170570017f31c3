import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import type { MachineUsage } from '../../ports/cgroup.ts'
import { createIdleCpu } from './idle-cpu.ts'

const CPUS = 4

/** A machine that is as busy as it is told to be, looked at four times a second. */
function machine() {
  let [atMicros, usageMicros] = [0, 0]
  const idle = createIdleCpu({ machine: () => ({ atMicros, usageMicros }) })
  const look = () => idle.look(CPUS, () => assert.fail('the kernel tells'))
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
    idle.look(CPUS, () => 2)
    assert.deepEqual([idle.hasIdleCpu(), idle.isContended()], [true, false])
    idle.look(CPUS, () => 3.9)
    assert.deepEqual([idle.hasIdleCpu(), idle.isContended()], [false, true])
  })
})
