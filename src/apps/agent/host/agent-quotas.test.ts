import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../../test/each.ts'
import {
  config,
  saidOf,
  simulateMachine,
  startHost,
  within,
} from '../../../../test/host-machine.ts'

void describe('a host agent that protects', () => {
  /**
   * A service within its floor and two hogs; one of them waits, for as long as `isWaiting` says. Floors
   * fill the machine: it has no idle CPU when the hogs are held to theirs.
   */
  function besideHogs(keys: object = {}, waits: 'a' | 'b' = 'a') {
    const machine = simulateMachine(2)
    machine.add('a', 'steady cpu=50m')
    machine.add('b', 'batch work=1h threads=4')
    machine.add('c', 'batch work=1h threads=4')
    const state = { isWaiting: true }
    let micros = 0
    const waiting: typeof machine.cgroups.waiting = (place) => {
      if (!('path' in place) || place.path !== waits) return 0
      if (state.isWaiting) micros += 500_000
      return micros
    }
    const on = { ...machine, cgroups: { ...machine.cgroups, waiting } }
    const floors = [
      { path: 'a', floor: '120m' },
      { path: 'b', floor: '930m' },
      { path: 'c', floor: '950m' },
    ]
    const host = startHost(on, config(floors, { reserve: '0', ...keys }))
    return { machine, host, state }
  }

  void test('holds back a group above its floor while one within its floor waits, and says why', () => {
    const { machine, host, state } = besideHogs()
    host.run(8)
    assert.equal(machine.quota('b'), 930)
    assert.match(host.metrics(), /^mbcas_host_suffering{group="a"} 1$/m)
    assert.match(host.metrics(), /^mbcas_host_held_milli{group="b"} 930$/m)
    const [held] = saidOf(host, 'group held back')
    assert.match(
      String(held?.['reason']),
      /^uses \d{3,4}m, above its floor of 930m, while a waits for a CPU \d+ % of the time$/,
    )
    state.isWaiting = false
    host.run(20)
    assert.equal(machine.quota('b'), null)
    assert.deepEqual(saidOf(host, 'group no longer held back')[0], {
      group: 'b',
      reason: 'nobody suffers from it any longer',
    })
  })

  void test('never below the floor, and not for long where that does not help', () => {
    const { machine, host } = besideHogs()
    host.run(30, () => assert.ok((machine.quota('b') ?? Infinity) >= 930))
    assert.equal(machine.quota('b'), null)
    assert.equal(
      saidOf(host, 'group no longer held back')[0]?.['reason'],
      'holding it back did not help',
    )
  })

  void test('not for a group that waits above its floor', () => {
    const { machine, host } = besideHogs({}, 'b')
    host.run(20, () => assert.deepEqual([machine.quota('a'), machine.quota('c')], [null, null]))
    assert.match(host.metrics(), /^mbcas_host_suffering{group="b"} 1$/m)
    assert.match(host.metrics(), /^mbcas_host_waited_seconds_total{group="b"} [1-9]/m)
  })

  void test('not where the guardrail is off', () => {
    const { machine, host } = besideHogs({ enableFastGuardrail: false })
    host.run(20, () => assert.equal(machine.quota('b'), null))
  })
})

void describe('a host agent that shares by quotas', () => {
  const strict = (groups: readonly object[], keys: object = {}) =>
    config(groups, { enforcement: 'strict', ...keys })

  each(
    [
      { name: 'too much falls to what is used, with head-room', from: 1800 },
      { name: 'too little rises to what is used', from: 100 },
      { name: 'a group without a limit is given one', from: null },
    ],
    ({ from }) => {
      const machine = simulateMachine(2)
      machine.add('a', 'steady cpu=300m', from)
      const host = startHost(machine, strict([{ path: 'a' }], { costEfficiencyMode: true }))
      host.run(60)
      within(machine.quota('a'), [300, 350])
      const { quotaMicros, burstMicros, periodMicros } = machine.settings('a') ?? {}
      assert.deepEqual([burstMicros, periodMicros], [quotaMicros, 1_000_000])
    },
  )

  void test('what nobody needs is head-room, by weight and up to the ceilings', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'steady cpu=300m')
    machine.add('b', 'steady cpu=300m')
    startHost(machine, strict([{ path: 'a', ceiling: '500m' }, { path: 'b' }])).run(30)
    assert.deepEqual([machine.quota('a'), machine.quota('b')], [500, 1400])
  })

  void test('quotas together never exceed the capacity, and move only when the market is cleared', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'spiky low=100m high=900m every=5s for=1s', 600)
    machine.add('b', 'bursty low=50m high=1500m threads=2 every=8s for=3s', 600)
    machine.add('c', 'steady cpu=400m', 600)
    const groups = [{ path: 'a' }, { path: 'b', weight: 2 }, { path: 'c', weight: 0.5 }]
    const host = startHost(machine, strict(groups))
    let [before, moves] = ['', 0]
    host.run(120, () => {
      const quotas = ['a', 'b', 'c'].map((path) => machine.quota(path) ?? 0)
      assert.ok(quotas.reduce((sum, quota) => sum + quota, 0) <= 1900, quotas.join())
      if (before !== quotas.join()) moves += 1
      before = quotas.join()
    })
    assert.ok(moves <= 62, `${moves} moves in 60 fast intervals`)
  })

  each(
    [
      { name: 'when CPU is short equal weights share equally', weight: 1, gives: [950, 950] },
      { name: 'and weights share what is above the floors', weight: 2, gives: [1233, 667] },
    ],
    ({ weight, gives }) => {
      const machine = simulateMachine(2)
      machine.add('a', 'batch work=1h threads=2', 1900)
      machine.add('b', 'batch work=1h threads=2', 100)
      const host = startHost(machine, strict([{ path: 'a', weight }, { path: 'b' }]))
      host.run(20)
      host.run(30, () => assert.deepEqual([machine.quota('a'), machine.quota('b')], gives))
      assert.match(host.metrics(), /^mbcas_host_mode 1$/m)
    },
  )

  void test('a group that is throttled does not wait for the next clearing in turn', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'bursty low=200m high=600m every=100s for=20s')
    const keys = { costEfficiencyMode: true, slowLoopInterval: '40s', period: '100ms' }
    const host = startHost(machine, strict([{ path: 'a' }], keys))
    host.run(99.75)
    within(machine.quota('a'), [200, 300])
    host.run(10)
    assert.ok((machine.quota('a') ?? 0) >= 600, `${machine.quota('a')}`)
  })

  void test('the ceiling holds', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'batch work=1h threads=2', 100)
    startHost(machine, strict([{ path: 'a', ceiling: '600m' }])).run(20)
    assert.equal(machine.quota('a'), 600)
  })

  void test('without burst, what was found stays', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'steady cpu=300m', 1000)
    startHost(machine, strict([{ path: 'a' }], { enableBurst: false })).run(20)
    assert.equal(machine.settings('a')?.burstMicros, 0)
  })
})
