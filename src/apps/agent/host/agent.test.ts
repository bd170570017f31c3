import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../../test/each.ts'
import { simulateMachine, startHost } from '../../../../test/host-machine.ts'

const config = (groups: readonly object[], keys: object = {}) => ({
  reserve: '100m',
  ...keys,
  groups: groups.map((group) => ({ floor: '100m', ...group })),
})
const within = (value: number | null, [least, most]: readonly [number, number]): void =>
  assert.ok(value !== null && value >= least && value <= most, `${value} of ${least} to ${most}`)

void describe('a host agent on a simulated machine', () => {
  each(
    [
      {
        name: 'too much falls to what is used, with head-room',
        load: 'steady cpu=300m',
        from: 1800,
      },
      { name: 'too little rises to what is used', load: 'steady cpu=300m', from: 100 },
      { name: 'a group without a limit is given one', load: 'steady cpu=300m', from: null },
    ],
    ({ load, from }) => {
      const machine = simulateMachine(2)
      machine.add('a', load, from)
      startHost(machine, config([{ path: 'a' }])).run(60)
      within(machine.quota('a'), [310, 420])
      assert.equal(machine.settings('a')?.burstMicros, machine.settings('a')?.quotaMicros)
    },
  )

  void test('a first limit waits until demand is known, and is never below what is used', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'steady cpu=700m')
    const host = startHost(machine, config([{ path: 'a' }]))
    host.run(1)
    assert.equal(machine.quota('a'), null)
    host.run(1, () => assert.ok((machine.quota('a') ?? 2000) >= 700))
    within(machine.quota('a'), [700, 1000])
  })

  void test('load that triples has enough within a second', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'bursty low=200m high=600m every=100s for=10s', 300)
    const host = startHost(machine, config([{ path: 'a' }]))
    host.run(99.5)
    within(machine.quota('a'), [200, 520])
    let millis = 0
    host.run(2, () => {
      if ((machine.quota('a') ?? 0) < 600) millis += 250
    })
    assert.ok(millis <= 1500, `${millis} ms, half a second of them before the step`)
  })

  void test('quotas together never exceed the capacity, once they fit', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'spiky low=100m high=900m every=5s for=1s', 600)
    machine.add('b', 'bursty low=50m high=1500m threads=2 every=8s for=3s', 600)
    machine.add('c', 'steady cpu=400m', 600)
    const groups = [{ path: 'a' }, { path: 'b', weight: 2 }, { path: 'c', weight: 0.5 }]
    startHost(machine, config(groups)).run(120, () => {
      const quotas = ['a', 'b', 'c'].map((path) => machine.quota(path) ?? 0)
      assert.ok(quotas.reduce((sum, quota) => sum + quota, 0) <= 1900, quotas.join())
    })
  })

  each(
    [
      { name: 'equal weights share equally', weight: 1, gives: [950, 950] },
      { name: 'weights share what is above the floors', weight: 2, gives: [1233, 667] },
    ],
    ({ weight, gives }) => {
      const machine = simulateMachine(2)
      machine.add('a', 'batch work=1h threads=2', 1900)
      machine.add('b', 'batch work=1h threads=2', 100)
      const host = startHost(machine, config([{ path: 'a', weight }, { path: 'b' }]))
      host.run(6)
      assert.deepEqual([machine.quota('a'), machine.quota('b')], gives)
      host.run(30, () => assert.deepEqual([machine.quota('a'), machine.quota('b')], gives))
      assert.ok(host.told.some(({ fields }) => fields['to'] === 'congested'))
      assert.match(host.metrics(), /^mbcas_host_mode 1$/m)
    },
  )

  void test('what nobody uses any longer goes to those who are short', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'batch work=20s threads=2', 950)
    machine.add('b', 'batch work=1h threads=2', 950)
    const host = startHost(machine, config([{ path: 'a' }, { path: 'b' }]))
    host.run(60)
    within(machine.quota('b'), [1500, 1800])
  })

  void test('floors that do not fit share the capacity', () => {
    const machine = simulateMachine(2)
    const paths = ['a', 'b', 'c']
    for (const path of paths) machine.add(path, 'batch work=1h threads=2', 600)
    const groups = paths.map((path) => ({ path, floor: '1' }))
    const host = startHost(machine, config(groups))
    host.run(20)
    const sum = paths.reduce((sum, path) => sum + (machine.quota(path) ?? 0), 0)
    assert.equal(sum, 1900)
    assert.match(host.metrics(), /^mbcas_host_mode 2$/m)
  })

  void test('shares follow the weight', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'idle')
    machine.add('b', 'idle')
    startHost(machine, config([{ path: 'a', weight: 3 }, { path: 'b' }])).run(1)
    assert.deepEqual([machine.settings('a')?.shares, machine.settings('b')?.shares], [3072, 1024])
  })

  void test('a group that comes later, goes and comes back is managed while it is there', () => {
    const machine = simulateMachine(2)
    const host = startHost(machine, config([{ path: 'a' }]))
    const said = () => host.told.map(({ message }) => message).filter((m) => m.startsWith('group '))
    host.run(2)
    assert.match(host.metrics(), /^mbcas_host_group_present{group="a"} 0$/m)
    machine.add('a', 'steady cpu=300m', 1000)
    host.run(30)
    within(machine.quota('a'), [310, 420])
    machine.remove('a')
    host.run(2)
    assert.doesNotMatch(host.metrics(), /mbcas_host_quota_milli{/)
    machine.add('a', 'steady cpu=500m', 1000)
    host.run(30)
    within(machine.quota('a'), [510, 700])
    assert.deepEqual(said(), [
      'group not there',
      'group managed',
      'group gone, nothing to restore',
      'group not there',
      'group managed',
    ])
  })

  void test('a quota that someone else sets is where it goes on from, and is told once', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'steady cpu=300m', 400)
    const host = startHost(machine, config([{ path: 'a' }]))
    host.run(10)
    for (const milli of [1500, 50, 1200]) {
      machine.set('a', milli)
      host.run(30)
      within(machine.quota('a'), [310, 420])
    }
    const told = host.told.filter(({ message }) => message === 'quota set by someone else')
    assert.equal(told.length, 1)
  })

  void test('a newcomer with a large quota takes nothing from those who are there', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'steady cpu=900m', 1100)
    const host = startHost(machine, config([{ path: 'a' }, { path: 'b' }]))
    host.run(10)
    machine.add('b', 'steady cpu=200m', 2000)
    host.run(20, () => assert.ok((machine.quota('a') ?? 0) > 900))
    within(machine.quota('b'), [210, 420])
  })

  void test('a group that cannot be read for a moment keeps what it has and what is known', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'steady cpu=300m', 800)
    let isTorn = false
    const read: typeof machine.cgroups.read = (place) => {
      if (isTorn) throw new Error('parsing cpu.stat: expected a number')
      return machine.cgroups.read(place)
    }
    const torn = { ...machine, cgroups: { ...machine.cgroups, read } }
    const host = startHost(torn, config([{ path: 'a' }]))
    host.run(20)
    const before = machine.quota('a')
    isTorn = true
    host.run(1)
    isTorn = false
    host.run(1)
    assert.equal(machine.quota('a'), before)
    assert.match(host.metrics(), /mbcas_host_dropped_samples_total{group="a",reason="too_soon"} 4/)
    assert.ok(host.told.some(({ message }) => message === 'group cannot be read'))
  })

  void test('a group that refuses keeps no other from its quota, and is told once', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'steady cpu=300m', 100)
    machine.add('b', 'steady cpu=300m', 100)
    const write: typeof machine.writer.write = (changes) =>
      changes.some(({ place }) => 'path' in place && place.path === 'a')
        ? { wrote: [], refused: ['a: EINVAL'] }
        : machine.writer.write(changes)
    const refusing = { ...machine, writer: { ...machine.writer, write } }
    const host = startHost(refusing, config([{ path: 'a' }, { path: 'b' }]))
    host.run(10)
    assert.equal(machine.quota('a'), 100)
    assert.ok((machine.quota('b') ?? 0) >= 300)
    const told = host.told.filter(({ message }) => message === 'kernel refused')
    assert.deepEqual(
      told.map(({ fields }) => fields['group']),
      ['a'],
    )
  })

  void test('the ceiling holds', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'batch work=1h threads=2', 100)
    startHost(machine, config([{ path: 'a', ceiling: '600m' }])).run(20)
    assert.equal(machine.quota('a'), 600)
  })

  void test('the cost mode finds the least that does', () => {
    const averageWith = (keys: object): number => {
      const machine = simulateMachine(2)
      machine.add('a', 'steady cpu=300m', 500)
      const host = startHost(machine, config([{ path: 'a' }], keys))
      host.run(240)
      let sum = 0
      host.run(240, () => (sum += machine.quota('a') ?? 0))
      return sum / 960
    }
    const [normal, cost] = [averageWith({}), averageWith({ costEfficiencyMode: true })]
    assert.ok(cost >= 300 && cost < 0.9 * normal, `${cost} of ${normal}`)
  })

  void test('without burst, what was found stays', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'steady cpu=300m', 1000)
    startHost(machine, config([{ path: 'a' }], { enableBurst: false })).run(20)
    assert.equal(machine.settings('a')?.burstMicros, 0)
    within(machine.quota('a'), [310, 420])
  })
})
