import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { simulateMachine } from '../../../../test/host-machine.ts'
import { readHostConfig } from '../../../apis/agent-config.ts'
import { rulesOf } from './rules.ts'

const read = (document: object, cpus = 2) =>
  rulesOf(readHostConfig(document, 'host.yaml'), simulateMachine(cpus), 'host.yaml')
const group = { path: 'a', floor: '100m' }

void describe('the rules of a host', () => {
  void test('what is sold is the CPUs less the reserve, and no ceiling is above it', () => {
    const rules = read(
      { reserve: '300m', groups: [group, { ...group, path: 'b', ceiling: '9' }] },
      4,
    )
    assert.equal(rules.capacity, 3700)
    assert.deepEqual(
      rules.groups.map(({ ceiling }) => ceiling),
      [3700, 3700],
    )
  })

  void test('what is sold is of the CPUs that nobody has for itself', () => {
    const own = { path: 'db', exclusiveCpus: 2 }
    const rules = read({ reserve: '300m', groups: [own, group] }, 4)
    assert.equal(rules.capacity, 1700)
    assert.deepEqual(rules.pool, [0, 3])
    assert.deepEqual(rules.groups[0]?.exclusive, [1, 2])
    assert.equal(rules.groups[1]?.ceiling, 1700)
  })

  void test('where all that is shared is reserved, groups with CPUs of their own can be', () => {
    const own = { path: 'db', exclusiveCpus: 1 }
    assert.equal(read({ reserve: '1', groups: [own] }).capacity, 0)
    assert.throws(() => read({ reserve: '1', groups: [own, group] }), {
      message:
        'host.yaml: group a: expected floor within the capacity of 0m (2 CPUs less 1 by exclusiveCpus and a reserve of 1000m), got 100m',
    })
  })

  void test('a reserve of all CPUs is refused', () => {
    assert.throws(() => read({ reserve: '2', groups: [group] }), {
      name: 'InvalidInput',
      message: 'host.yaml: expected reserve below the 2 CPUs of this machine, got 2',
    })
  })

  void test('a floor above what is sold is refused by its group', () => {
    assert.throws(() => read({ groups: [{ ...group, floor: '3' }] }), {
      name: 'InvalidInput',
      message:
        'host.yaml: group a: expected floor within the capacity of 1900m (2 CPUs less a reserve of 100m), got 3000m',
    })
  })

  void test('the guardrail can be off, shares strict, and idle CPU no head-room', () => {
    const usual = read({ groups: [group] })
    assert.deepEqual([usual.protects, usual.isStrict, usual.sharesIdle], [true, false, true])
    const other = read({
      groups: [group],
      enableFastGuardrail: false,
      enforcement: 'strict',
      costEfficiencyMode: true,
    })
    assert.deepEqual([other.protects, other.isStrict, other.sharesIdle], [false, true, false])
  })
})
