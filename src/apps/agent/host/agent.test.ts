import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../../test/each.ts'
import { simulateMachine, type SimulatedMachine, startHost } from '../../../../test/host-machine.ts'

const config = (groups: readonly object[], keys: object = {}) => ({
  reserve: '100m',
  ...keys,
  groups: groups.map((group) => ({ floor: '100m', ...group })),
})
const within = (value: number | null, [least, most]: readonly [number, number]): void =>
  assert.ok(value !== null && value >= least && value <= most, `${value} of ${least} to ${most}`)

type Host = ReturnType<typeof startHost>

const weightOf = (machine: SimulatedMachine, path: string): number =>
  machine.settings(path)?.shares ?? NaN
/** In millicores, over so many seconds. */
function usedOver(machine: SimulatedMachine, host: Host, seconds: number) {
  const usage = (path: string): number => machine.cgroups.read({ path })?.usageMicros ?? NaN
  const paths = ['a', 'b'] as const
  const before = paths.map(usage)
  host.run(seconds)
  const [a = NaN, b = NaN] = paths.map(
    (path, i) => (usage(path) - (before[i] ?? 0)) / seconds / 1000,
  )
  return { a, b }
}
const writesOf = (host: Host): number =>
  Number(/kernel_writes_total{result="done"} (\d+)/.exec(host.metrics())?.[1] ?? 0)
const saidOf = (host: Host, message: string) =>
  host.told.filter((one) => one.message === message).map(({ fields }) => fields)

void describe('a host agent that shares by weights', () => {
  void test('at first each group weighs its floor, and has the quota that it came with', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'idle', 700)
    machine.add('b', 'idle')
    startHost(machine, config([{ path: 'a', floor: '500m' }, { path: 'b' }])).run(0.25)
    assert.deepEqual([weightOf(machine, 'a'), weightOf(machine, 'b')], [512, 102])
    assert.deepEqual([machine.quota('a'), machine.quota('b')], [700, null])
  })

  void test('who uses less than its floor comes first, and the hog beside it gets all the rest', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'steady cpu=700m')
    machine.add('b', 'batch work=1h threads=4')
    const floors = [
      { path: 'a', floor: '900m' },
      { path: 'b', floor: '900m' },
    ]
    const host = startHost(machine, config(floors))
    host.run(10)
    assert.ok(weightOf(machine, 'a') > 10 * weightOf(machine, 'b'))
    const { a, b } = usedOver(machine, host, 10)
    within(a, [690, 710])
    within(b, [1290, 1310])
    assert.deepEqual([machine.quota('a'), machine.quota('b')], [null, null])
  })

  void test('large floors weigh in their ratio in the lane, and those beside them come down', () => {
    const machine = simulateMachine(40)
    const floors = { a: '16', b: '6', c: '6', d: '6' }
    for (const path of Object.keys(floors)) machine.add(path, 'idle')
    const groups = Object.entries(floors).map(([path, floor]) => ({ path, floor }))
    startHost(machine, config(groups)).run(10)
    const [a, b] = [weightOf(machine, 'a'), weightOf(machine, 'b')]
    assert.equal(a, 262_144)
    within(a / b, [2.6, 2.7])
  })

  void test('an urgent group goes first above its floor, and takes nothing of another floor', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'batch work=1h threads=4')
    machine.add('b', 'batch work=1h threads=4')
    const floors = [
      { path: 'a', floor: '500m', urgent: true },
      { path: 'b', floor: '700m' },
    ]
    const host = startHost(machine, config(floors))
    host.run(10)
    const { a, b } = usedOver(machine, host, 40)
    assert.ok(a > 1150 && b >= 690, `${a} ${b}`)
  })

  void test('a group that wakes has its floor, however long a hog had the machine', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'idle')
    machine.add('b', 'batch work=1h threads=4')
    const floors = [
      { path: 'a', floor: '900m' },
      { path: 'b', floor: '100m', weight: 1000 },
    ]
    const host = startHost(machine, config(floors))
    host.run(60)
    machine.remove('a')
    machine.add('a', 'batch work=1h threads=2')
    const { a } = usedOver(machine, host, 20)
    assert.ok(a >= 890, `${a}m`)
  })

  each(
    [
      { name: 'equal weights share equally', weight: 1, uses: 1000 },
      { name: 'weights share what is above the floors', weight: 2, uses: 1298 },
    ],
    ({ weight, uses }) => {
      const machine = simulateMachine(2)
      machine.add('a', 'batch work=1h threads=2')
      machine.add('b', 'batch work=1h threads=2')
      const host = startHost(machine, config([{ path: 'a', weight }, { path: 'b' }]))
      host.run(20)
      const writes = writesOf(host)
      const { a } = usedOver(machine, host, 30)
      // A change of less than 15 % is not worth a write.
      within(a, [uses - 100, uses + 100])
      assert.equal(writesOf(host), writes)
      const told = saidOf(host, 'allocation mode changed').at(-1)
      const { a: given = 0, b = 0 } = (told?.['givenMilli'] ?? {}) as Record<string, number>
      assert.deepEqual([told?.['to'], given + b], ['congested', 1900])
      assert.match(host.metrics(), new RegExp(`^mbcas_host_given_milli{group="a"} ${given}$`, 'm'))
      assert.match(host.metrics(), /^mbcas_host_mode 1$/m)
    },
  )

  void test('beside idle CPU nothing has a price, and what is in force is shown', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'steady cpu=300m')
    const host = startHost(
      machine,
      config([
        { path: 'a', floor: '1500m' },
        { path: 'b', floor: '1' },
      ]),
    )
    host.run(10)
    const shown = host.metrics()
    assert.match(shown, /^mbcas_host_mode 0$/m)
    assert.match(shown, /^mbcas_host_price_cpu 0$/m)
    assert.match(shown, new RegExp(`^mbcas_host_weight{group="a"} ${weightOf(machine, 'a')}$`, 'm'))
    assert.match(shown, /^mbcas_host_lane_credits_seconds{group="a"} 2$/m)
    assert.match(shown, /^mbcas_host_suffering{group="a"} 0$/m)
    assert.match(shown, /^mbcas_host_used_cores{group="a"} 0\.3/m)
    assert.match(shown, /^mbcas_host_floor_milli{group="a"} 1500$/m)
    assert.doesNotMatch(shown, /^mbcas_host_held_milli{/m)
  })

  void test('floors that do not fit are scaled, and the market says so', () => {
    const machine = simulateMachine(2)
    const paths = ['a', 'b', 'c']
    for (const path of paths) machine.add(path, 'batch work=1h threads=2')
    const host = startHost(machine, config(paths.map((path) => ({ path, floor: '1' }))))
    host.run(20)
    const weights = paths.map((path) => weightOf(machine, path))
    const third = Math.round(0.633 * 1024)
    for (const weight of weights) within(weight, [third - 2, third + 2])
    assert.match(host.metrics(), /^mbcas_host_mode 2$/m)
  })

  each(
    [
      { name: 'a ceiling holds from the first sample on', from: null, quota: 600 },
      { name: 'a quota that was found below the ceiling is kept', from: 400, quota: 400 },
    ],
    ({ from, quota }) => {
      const machine = simulateMachine(2)
      machine.add('a', 'batch work=1h threads=2', from)
      machine.add('b', 'idle')
      const host = startHost(machine, config([{ path: 'a', ceiling: '600m' }, { path: 'b' }]))
      host.run(0.25)
      assert.equal(machine.quota('a'), quota)
      const { a } = usedOver(machine, host, 20)
      within(a, [quota - 20, quota + 20])
      assert.equal(machine.quota('a'), quota)
    },
  )

  void test('a quota found below the floor is the owner’s, and is logged once', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'steady cpu=300m', 50)
    const host = startHost(machine, config([{ path: 'a' }]))
    host.run(20)
    assert.equal(machine.quota('a'), 50)
    const reason = 'its own quota of 50m is kept, and holds it below its floor of 100m'
    assert.deepEqual(saidOf(host, 'quota below the floor'), [{ group: 'a', reason }])
  })

  void test('a quota that someone else sets is kept, under the ceiling, and logged once', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'steady cpu=300m', 400)
    const host = startHost(machine, config([{ path: 'a', ceiling: '1' }]))
    host.run(10)
    for (const [set, stands] of [
      [1500, 1000],
      [500, 500],
      [1200, 1000],
    ] as const) {
      machine.set('a', set)
      host.run(1)
      assert.equal(machine.quota('a'), stands)
    }
    assert.equal(saidOf(host, 'quota set by someone else').length, 1)
    host.journal.restore()
    assert.equal(machine.quota('a'), 1200)
  })

  void test('a weight that someone else sets is put right at the next sample, and is there at the end', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'idle')
    const host = startHost(machine, config([{ path: 'a' }]))
    host.run(10)
    const ours = weightOf(machine, 'a')
    for (const foreign of [77, 88]) {
      machine.weigh('a', foreign)
      host.run(0.25)
      assert.equal(weightOf(machine, 'a'), ours)
      host.run(20)
    }
    assert.equal(saidOf(host, 'weight set by someone else').length, 1)
    host.journal.restore()
    assert.equal(weightOf(machine, 'a'), 88)
  })

  void test('who sets a weight again and again is not fought for a minute', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'idle')
    const host = startHost(machine, config([{ path: 'a' }]))
    host.run(10)
    const ours = weightOf(machine, 'a')
    const write = (): void => machine.weigh('a', 77)
    host.run(1.75, write)
    assert.deepEqual(saidOf(host, 'weight left alone'), [])
    host.run(0.5, write)
    assert.equal(saidOf(host, 'weight left alone').length, 1)
    host.run(55)
    assert.equal(weightOf(machine, 'a'), 77)
    host.run(10)
    assert.equal(weightOf(machine, 'a'), ours)
  })

  void test('a group that comes later, goes and comes back is managed while it is there', () => {
    const machine = simulateMachine(2)
    const host = startHost(machine, config([{ path: 'a' }]))
    const said = () => host.told.map(({ message }) => message).filter((m) => m.startsWith('group '))
    host.run(2)
    assert.match(host.metrics(), /^mbcas_host_group_present{group="a"} 0$/m)
    machine.add('a', 'steady cpu=30m')
    host.run(10)
    assert.ok(weightOf(machine, 'a') > 1024)
    machine.remove('a')
    host.run(2)
    assert.doesNotMatch(host.metrics(), /mbcas_host_(weight|used_cores|floor_milli){/)
    machine.add('a', 'steady cpu=30m')
    host.run(0.25)
    assert.equal(weightOf(machine, 'a'), 102)
    assert.deepEqual(said(), [
      'group not there',
      'group managed',
      'group gone, nothing to restore',
      'group not there',
      'group managed',
    ])
  })

  void test('a group that cannot be read for a moment keeps what it has and what is known', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'steady cpu=30m')
    let isTorn = false
    const read: typeof machine.cgroups.read = (place) => {
      if (isTorn) throw new Error('parsing cpu.stat: expected a number')
      return machine.cgroups.read(place)
    }
    const torn = { ...machine, cgroups: { ...machine.cgroups, read } }
    const host = startHost(torn, config([{ path: 'a' }]))
    host.run(20)
    const before = weightOf(machine, 'a')
    isTorn = true
    host.run(1)
    isTorn = false
    host.run(1)
    assert.equal(weightOf(machine, 'a'), before)
    assert.match(host.metrics(), /mbcas_host_dropped_samples_total{group="a",reason="too_soon"} 4/)
    assert.ok(saidOf(host, 'group cannot be read').length > 0)
  })

  void test('a group that refuses keeps no other from its weight, and is logged once', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'idle')
    machine.add('b', 'idle')
    const write: typeof machine.writer.write = (changes) =>
      changes.some(({ place }) => 'path' in place && place.path === 'a')
        ? { wrote: [], refused: ['a: EINVAL'] }
        : machine.writer.write(changes)
    const refusing = { ...machine, writer: { ...machine.writer, write } }
    const host = startHost(refusing, config([{ path: 'a' }, { path: 'b' }]))
    host.run(10)
    assert.equal(weightOf(machine, 'a'), 1024)
    assert.ok(weightOf(machine, 'b') > 1024)
    assert.deepEqual(
      saidOf(host, 'kernel refused').map(({ group }) => group),
      ['a'],
    )
  })
})

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
