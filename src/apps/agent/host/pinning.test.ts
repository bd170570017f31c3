import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { simulateMachine, startHost, thisBoot } from '../../../../test/host-machine.ts'
import { keepInMemory } from '../../../sim/kept-in-memory.ts'

const config = {
  groups: [
    { path: 'services/db', exclusiveCpus: 2 },
    { path: 'services/web', floor: '100m' },
  ],
}
const later = { ...thisBoot, self: { pid: 11, startTicks: 900 }, startTicksOf: () => undefined }

/** A process in each group, and in no cpuset. */
function fourCpus() {
  const machine = simulateMachine(4)
  machine.add('services/db', 'steady cpu=1500m', 500)
  machine.add('services/web', 'steady cpu=300m', 500)
  machine.cpusets.cpuGroups.set('db', 'services/db').set('web', 'services/web')
  return machine
}
type Machine = ReturnType<typeof fourCpus>

const allowedOn = ({ cpusets }: Machine) => [cpusets.allowed('db'), cpusets.allowed('web')]
const setsOf = ({ cpusets }: Machine) => Object.fromEntries(cpusets.sets)
const untouched = { '': { cpus: '0-3', mems: '0' } }

void describe('groups with CPUs of their own', () => {
  void test('run on them, all others on the rest', () => {
    const machine = fourCpus()
    const host = startHost(machine, config)
    host.run(1)
    assert.deepEqual(allowedOn(machine), ['1-2', '0,3'])
    assert.match(host.metrics(), /mbcas_host_exclusive_cpus{group="services\/db"} 2/)
    assert.deepEqual(
      host.told.filter(({ message }) => message === 'group pinned').map(({ fields }) => fields),
      [
        { group: 'services/db', cpus: '1-2', exclusive: true },
        { group: 'services/web', cpus: '0,3', exclusive: false },
      ],
    )
  })

  void test('have no quota, and what is sold to others is less', () => {
    const machine = fourCpus()
    const host = startHost(machine, { reserve: '100m', ...config })
    host.run(20)
    assert.equal(machine.quota('services/db'), null)
    assert.match(host.metrics(), /mbcas_host_capacity_milli 1900/)
    assert.equal(machine.quota('services/web'), 500)
  })

  void test('need no market', () => {
    const machine = fourCpus()
    const host = startHost(machine, { reserve: '2', groups: [config.groups[0]] })
    host.run(5)
    assert.equal(machine.cpusets.allowed('db'), '2-3')
    assert.match(host.metrics(), /mbcas_host_capacity_milli 0/)
  })

  void test('processes that come later are brought there too', () => {
    const machine = fourCpus()
    const host = startHost(machine, config)
    host.run(1)
    machine.cpusets.cpuGroups.set('db 2', 'services/db')
    host.run(1)
    assert.equal(machine.cpusets.allowed('db 2'), '1-2')
  })

  void test('a cpuset that somebody sets is left, and told once', () => {
    const machine = fourCpus()
    const host = startHost(machine, config)
    host.run(1)
    machine.cpusets.sets.set('services/db', { cpus: '3', mems: '0' })
    host.run(2)
    assert.deepEqual(allowedOn(machine), ['3', '0,3'])
    const told = host.told.filter(({ message }) => message === 'cpuset set by someone else')
    assert.deepEqual(
      told.map(({ fields }) => fields),
      [{ group: 'services/db', from: '1-2', to: '3' }],
    )
    host.journal.restore()
    assert.equal(machine.cpusets.sets.get('services/db')?.cpus, '3')
  })

  void test('what the kernel refuses is told once, and tried again when something changed', () => {
    const machine = fourCpus()
    machine.cpusets.sets.set('services', { cpus: '0', mems: '0' })
    const host = startHost(machine, config)
    host.run(2)
    const refused = host.told.filter(({ message }) => message === 'group cannot be pinned')
    assert.deepEqual(
      refused.map(({ fields }) => fields['group']),
      ['services/db', 'services/web'],
    )
    assert.match(host.metrics(), /mbcas_host_exclusive_cpus{group="services\/db"} 0/)
    assert.equal(machine.quota('services/db'), 500)
    machine.cpusets.sets.set('services', { cpus: '0-3', mems: '0' })
    host.run(1)
    assert.equal(machine.quota('services/db'), null)
    assert.deepEqual(allowedOn(machine), ['1-2', '0,3'])
    host.journal.restore()
    assert.deepEqual(Object.keys(setsOf(machine)), ['', 'services'])
  })

  void test('a cpuset that somebody removed is made again', () => {
    const machine = fourCpus()
    const host = startHost(machine, config)
    host.run(1)
    machine.cpusets.sets.delete('services/db')
    machine.cpusets.processes.delete('db')
    host.run(1)
    assert.deepEqual(allowedOn(machine), ['1-2', '0,3'])
  })

  void test('without any, cpusets are left alone', () => {
    const machine = fourCpus()
    const host = startHost(machine, { groups: [{ path: 'services/web', floor: '100m' }] })
    host.run(5)
    assert.deepEqual(setsOf(machine), untouched)
    assert.doesNotMatch(host.metrics(), /exclusive_cpus{/)
  })
})

void describe('restoring cpusets', () => {
  void test('an orderly end removes the groups that it made, and processes are where they were', () => {
    const machine = fourCpus()
    const host = startHost(machine, config)
    host.run(1)
    assert.equal(host.journal.restore(), true)
    assert.deepEqual(setsOf(machine), untouched)
    assert.deepEqual(allowedOn(machine), ['0-3', '0-3'])
  })

  void test('the start after a hard end does too, also with another configuration', () => {
    const machine = fourCpus()
    const keeper = keepInMemory()
    startHost(machine, config, { keeper }).run(1)
    assert.deepEqual(allowedOn(machine), ['1-2', '0,3'])
    startHost(
      machine,
      { groups: [{ path: 'services/web', floor: '100m' }] },
      { keeper, machine: later },
    )
    assert.deepEqual(setsOf(machine), untouched)
  })

  void test('what stood in a cpuset comes back, empty ones too', () => {
    const machine = fourCpus()
    const { sets, processes } = machine.cpusets
    const found = {
      ...untouched,
      services: { cpus: '0-3', mems: '0' },
      'services/db': { cpus: '', mems: '' },
      'services/web': { cpus: '0-1', mems: '0' },
    }
    for (const [path, set] of Object.entries(found)) sets.set(path, set)
    processes.set('web', 'services/web')
    const host = startHost(machine, config)
    host.run(1)
    assert.deepEqual(allowedOn(machine), ['1-2', '0,3'])
    host.journal.restore()
    assert.deepEqual(setsOf(machine), found)
    assert.equal(processes.get('web'), 'services/web')
  })

  void test('of a group that is gone nothing is left behind', () => {
    const machine = fourCpus()
    const host = startHost(machine, config)
    host.run(1)
    machine.remove('services/db')
    machine.cpusets.cpuGroups.delete('db')
    host.run(1)
    assert.equal(machine.cpusets.sets.has('services/db'), false)
    assert.match(host.metrics(), /mbcas_host_exclusive_cpus{group="services\/db"} 0/)
  })

  void test('a state from before cpusets were kept is read', () => {
    const keeper = keepInMemory({ bootId: 'boot-1', owner: { pid: 9, startTicks: 1 }, groups: [] })
    const host = startHost(fourCpus(), config, { keeper, machine: later })
    assert.equal(host.journal.restore(), true)
  })
})
