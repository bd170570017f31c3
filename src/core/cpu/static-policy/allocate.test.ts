import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { machines } from '../../../../test/cpu/machines.ts'
import { accepted, container, pod, policyOf } from '../../../../test/cpu/policies.ts'
import { formatCpuSet } from '../cpu-set.ts'
import type { PodRequest } from '../pod-request.ts'
import { isRefusal } from '../refusal.ts'
import { allocateCpus } from './allocate.ts'
import type { StaticPolicy } from './policy.ts'
import { availableCpus, type CpuState, emptyState, releaseCpus } from './state.ts'

/** All containers of a pod in turn; CPUs in list format by name. */
function start(policy: StaticPolicy, state: CpuState, pod: PodRequest) {
  const cpus: Record<string, string> = {}
  for (const container of pod.containers) {
    const allocated = accepted(allocateCpus(policy, state, { pod, container, affinity: null }))
    state = allocated.state
    cpus[container.name] = formatCpuSet(allocated.cpus ?? [])
  }
  return { state, cpus }
}

void describe('core/cpu: containers come and go', () => {
  const laptop = policyOf(machines.laptop, { reserved: '0' })

  void test('what is given leaves the shared pool, and comes back when it is released', () => {
    const before = emptyState(laptop)
    const { state, cpus } = start(laptop, before, pod('p', container('a', 2)))
    assert.equal(cpus['a'], '1,5')
    assert.equal(formatCpuSet(state.shared), '0,2-4,6-7')
    assert.equal(formatCpuSet(availableCpus(laptop, state)), '2-4,6-7')
    const after = releaseCpus(state, 'p', 'a')
    assert.deepEqual(after.shared, before.shared)
    assert.equal(after.assigned.size, 0)
  })

  void test('a strict reservation keeps the reserved CPUs out of the shared pool', () => {
    const strict = policyOf(machines.laptop, {
      reserved: '0',
      options: ['strict-cpu-reservation'],
    })
    assert.equal(formatCpuSet(emptyState(strict).shared), '1-7')
  })

  void test('a container of the shared pool changes nothing', () => {
    const before = emptyState(laptop)
    const { state, cpus } = start(laptop, before, pod('p', container('a', 0.5)))
    assert.equal(cpus['a'], '')
    assert.equal(state, before)
  })

  void test('later containers reuse what init containers had', () => {
    const { state, cpus } = start(
      laptop,
      emptyState(laptop),
      pod('p', container('i', 3, 'init'), container('a', 2), container('b', 2)),
    )
    assert.deepEqual(cpus, { i: '1,4-5', a: '1,5', b: '2,6' })
    assert.equal(formatCpuSet(state.shared), '0,3,7')
  })

  void test("a sidecar's CPUs are its own", () => {
    const { cpus } = start(
      laptop,
      emptyState(laptop),
      pod('p', container('s', 2, 'sidecar'), container('a', 2)),
    )
    assert.deepEqual(cpus, { s: '1,5', a: '2,6' })
  })

  void test('another pod cannot reuse them', () => {
    const first = start(laptop, emptyState(laptop), pod('p', container('i', 2, 'init')))
    const second = start(laptop, first.state, pod('q', container('a', 2)))
    assert.deepEqual(second.cpus, { a: '2,6' })
  })

  void test('a container that is there keeps its CPUs', () => {
    const both = pod('p', container('a', 2))
    const first = start(laptop, emptyState(laptop), both)
    const again = start(laptop, first.state, both)
    assert.deepEqual(again.cpus, first.cpus)
    assert.deepEqual(again.state.shared, first.state.shared)
  })

  void test('what a sibling reuses is not released with the init container', () => {
    const { state } = start(
      laptop,
      emptyState(laptop),
      pod('p', container('i', 3, 'init'), container('a', 2)),
    )
    const after = releaseCpus(state, 'p', 'i')
    assert.equal(formatCpuSet(after.shared), '0,2-4,6-7')
    assert.deepEqual(releaseCpus(after, 'p', 'i'), after)
  })

  void test('a refusal has a type where the kubelet has one', () => {
    const policy = policyOf(machines.laptop, { reserved: '0', options: ['full-pcpus-only'] })
    const odd = pod('p', container('a', 3))
    const [first] = odd.containers
    assert.ok(first)
    const answer = allocateCpus(policy, emptyState(policy), {
      pod: odd,
      container: first,
      affinity: null,
    })
    assert.ok(isRefusal(answer))
    assert.equal(answer.type, 'SMTAlignmentError')
  })
})
