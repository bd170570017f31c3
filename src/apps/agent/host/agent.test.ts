import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../../test/each.ts'
import {
  config,
  saidOf,
  simulateMachine,
  type SimulatedMachine,
  startHost,
  within,
} from '../../../../test/host-machine.ts'

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
