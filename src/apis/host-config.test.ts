import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { parse } from 'yaml'

import { each } from '../../test/each.ts'
import { readHostConfig } from './agent-config.ts'

void describe("the host's configuration", () => {
  const readHost = (document: unknown) => readHostConfig(document, 'host.yaml')
  const group = { path: 'services/api', floor: '100m' }

  void test('as the manual has it', () => {
    const { reserve, groups, bidding } = readHost(
      parse(`
reserve: 100m            # CPU not sold; capacity is the machine's CPUs less this
groups:
  - path: services/api   # below the cpu hierarchy (v1) or the unified one (v2)
    floor: 100m          # what it is entitled to, like a request
    ceiling: 1500m       # what it may use at most; default: no limit
    weight: 2            # its say in what is above the floors; default: 1
`),
    )
    assert.equal(reserve, 100)
    const shares = { weight: 2, exclusiveCpus: 0 }
    assert.deepEqual(groups, [{ path: 'services/api', floor: 100, ceiling: 1500, ...shares }])
    assert.equal(bidding.reserveRatio, 0)
  })

  void test('with defaults, and with the keys that both modes have', () => {
    const config = readHost({
      groups: [group],
      costEfficiencyMode: true,
      samplingInterval: '100ms',
    })
    const [only] = config.groups
    const usual = { ceiling: undefined, weight: 1, exclusiveCpus: 0 }
    assert.deepEqual(only, { path: 'services/api', floor: 100, ...usual })
    assert.deepEqual([config.bidding.isCostMode, config.samplingMillis], [true, 100])
  })

  void test('a group whose latency matters says so', () => {
    const { groups } = readHost({
      groups: [
        { ...group, urgent: true },
        { ...group, path: 'b' },
      ],
    })
    assert.deepEqual(
      groups.map(({ isUrgent }) => isUrgent),
      [true, undefined],
    )
  })

  void test('shares are elastic unless the file says strict', () => {
    const enforcementOf = (keys: object) =>
      readHost({ groups: [group], ...keys }).bidding.enforcement
    assert.equal(enforcementOf({}), 'elastic')
    assert.equal(enforcementOf({ enforcement: 'strict' }), 'strict')
    assert.throws(() => enforcementOf({ enforcement: 'firm' }), /elastic, strict/)
  })

  void test('CPUs of its own are floor and ceiling of a group', () => {
    const own = { floor: 2000, ceiling: 2000, weight: 1, exclusiveCpus: 2 }
    for (const said of [{}, { floor: '100m' }, { ceiling: '4' }]) {
      const { groups } = readHost({ groups: [{ path: 'a', exclusiveCpus: 2, ...said }] })
      assert.deepEqual(groups, [{ path: 'a', ...own }])
    }
  })

  each(
    [
      {
        name: 'an unknown key in a group, with the nearest known one',
        groups: [{ ...group, wieght: 2 }],
        says: 'host.yaml: group 1: unknown key "wieght"; did you mean "weight"?',
      },
      {
        name: 'a group without a floor',
        groups: [{ path: 'a' }],
        says: 'host.yaml: group a: expected floor or exclusiveCpus, got neither',
      },
      {
        name: 'parts of CPUs of its own',
        groups: [{ path: 'a', exclusiveCpus: 1.5 }],
        says: 'host.yaml: group 1: expected exclusiveCpus to be a whole number from 1 to 8192, got 1.5',
      },
      {
        name: 'a floor above its own CPUs',
        groups: [{ path: 'a', exclusiveCpus: 1, floor: '1100m' }],
        says: 'host.yaml: group a: expected floor within its 1000m of own CPUs, got 1100m',
      },
      {
        name: 'a ceiling below its own CPUs',
        groups: [{ path: 'a', exclusiveCpus: 2, ceiling: '1' }],
        says: 'host.yaml: group a: expected ceiling of at least its 2000m of own CPUs, got 1000m',
      },
      {
        name: 'a path that leads out',
        groups: [{ ...group, path: '../system' }],
        says: 'host.yaml: group 1: expected path to be a path without . and .., got "../system"',
      },
      {
        name: 'a path from the root',
        groups: [{ ...group, path: '/services/api' }],
        says: 'host.yaml: group 1: expected path to be a path such as services/api, without / at its ends, got "/services/api"',
      },
      {
        name: 'a floor above its ceiling',
        groups: [{ ...group, ceiling: '50m' }],
        says: 'host.yaml: group services/api: expected floor at most ceiling, got 100m and 50m',
      },
      {
        name: 'one group twice',
        groups: [group, group],
        says: 'host.yaml: group services/api: expected it apart from the others, but it is there twice',
      },
      {
        name: 'a group within another',
        groups: [group, { ...group, path: 'services-2' }, { ...group, path: 'services' }],
        says: 'host.yaml: group services/api: expected it apart from the others, but it is within services',
      },
      {
        name: 'no groups',
        groups: [],
        says: 'host.yaml: expected groups to be a list of at least one group, got an empty list',
      },
    ],
    ({ groups, says }) => {
      assert.throws(() => readHost({ groups }), { name: 'InvalidInput', message: says })
    },
  )

  void test("a cluster's key is refused", () => {
    assert.throws(() => readHost({ groups: [group], systemReservePercent: 10 }), /unknown key/)
  })
})
