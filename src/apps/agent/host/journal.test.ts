import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../../test/each.ts'
import {
  simulateMachine,
  type SimulatedMachine,
  startHost,
  thisBoot,
} from '../../../../test/host-machine.ts'
import { InvalidInput } from '../../../core/errors.ts'
import type { KeptDocument } from '../../../ports/kept-document.ts'
import { keepInMemory } from '../../../sim/kept-in-memory.ts'
import { openJournal, restoreLeftBehind } from './journal.ts'

const config = { enforcement: 'strict', groups: [{ path: 'a', floor: '100m', weight: 2 }] }
const found = { shares: 1024, quotaMicros: 80_000, periodMicros: 100_000, burstMicros: 0 }
/** The one that left the state behind has ended. */
const later = { ...thisBoot, self: { pid: 11, startTicks: 900 }, startTicksOf: () => undefined }

function manage() {
  const keeper = keepInMemory()
  const machine = simulateMachine(2)
  machine.add('a', 'steady cpu=300m', 800)
  const host = startHost(machine, config, { keeper })
  host.run(20)
  assert.notDeepEqual(machine.settings('a'), found)
  return { machine, host, keeper }
}

/** What the next start says when it finds the state. */
function startAgain(machine: SimulatedMachine, keeper: KeptDocument) {
  const { told } = startHost(machine, config, { keeper, machine: later })
  return told.map(({ message }) => message)
}

void describe('restoring', () => {
  void test('an orderly end brings back all that was found, and removes the state', () => {
    const { machine, host, keeper } = manage()
    assert.equal(host.journal.restore(), true)
    assert.deepEqual(machine.settings('a'), found)
    assert.equal(keeper.load(), undefined)
  })

  void test('the start after a hard end does too, before anything else', () => {
    const { machine, keeper } = manage()
    assert.deepEqual(startAgain(machine, keeper), Array.from({ length: 4 }).fill('restored'))
    assert.deepEqual(machine.settings('a'), found)
  })

  void test('what was found is kept before the first change', () => {
    const machine = simulateMachine(2)
    machine.add('a', 'idle', 800)
    const keeper = keepInMemory()
    const write: typeof machine.writer.write = (changes, note) =>
      machine.writer.write(changes, (planned) => {
        note?.(planned)
        throw new Error('killed')
      })
    const writer = { ...machine.writer, write }
    const journal = openJournal({ ...machine, keeper, machine: thisBoot, writer, log: () => {} })
    const change = { place: { path: 'a' }, quotaMicros: 10_000 }
    assert.throws(() => journal.write([change]), /killed/)
    const { groups } = keeper.load() as { groups: { found: object }[] }
    assert.deepEqual(groups[0]?.found, {
      shares: 1024,
      quotaMicros: 80_000,
      periodMicros: 100_000,
      burstMicros: 0,
    })
  })

  void test('what cannot be kept is not written, but undone all the same', () => {
    const { machine, host, keeper } = manage()
    const before = machine.settings('a')
    let isFull = false
    const full: KeptDocument = {
      ...keeper,
      save: (document) => {
        if (isFull) throw new Error('ENOSPC')
        keeper.save(document)
      },
    }
    host.journal.restore()
    const again = startHost(machine, config, { keeper: full, machine: later })
    again.run(20)
    assert.deepEqual(machine.settings('a')?.shares, before?.shares)
    isFull = true
    const change = { place: { path: 'a' }, quotaMicros: 10_000 }
    const stands = machine.settings('a')
    assert.throws(() => again.journal.write([change]), /ENOSPC/)
    assert.deepEqual(machine.settings('a'), stands)
    assert.equal(again.journal.restore(), true)
    assert.deepEqual(machine.settings('a'), found)
  })

  const fullDisk = (keeper: KeptDocument): KeptDocument => ({
    ...keeper,
    save: () => {
      throw new InvalidInput('writing memory: ENOSPC')
    },
  })

  void test('on a full disk --restore does all and ends well', () => {
    const { machine, keeper } = manage()
    const needs = { ...machine, keeper: fullDisk(keeper), machine: later, log: () => {} }
    restoreLeftBehind(needs)
    assert.deepEqual(machine.settings('a'), found)
    assert.equal(keeper.load(), undefined)
  })

  void test('and a start says that all is restored, and what could not be written', () => {
    const { machine, keeper } = manage()
    assert.throws(() => startHost(machine, config, { keeper: fullDisk(keeper), machine: later }), {
      name: 'InvalidInput',
      message:
        'all groups are as they were found, but the state could not be written: writing memory: ENOSPC',
    })
    assert.deepEqual(machine.settings('a'), found)
  })

  void test('a journal knows that its state is not kept, until it is again', () => {
    const keeper = keepInMemory()
    let isFull = false
    const sometimes: KeptDocument = {
      ...keeper,
      save: (document) => (isFull ? fullDisk(keeper) : keeper).save(document),
    }
    const machine = simulateMachine(2)
    machine.add('a', 'steady cpu=300m', 800)
    const { journal } = startHost(machine, config, { keeper: sometimes })
    assert.equal(journal.notKept(), undefined)
    isFull = true
    const change = { place: { path: 'a' }, quotaMicros: 10_000 }
    assert.throws(() => journal.write([change]), /ENOSPC/)
    journal.keepAgain()
    assert.equal(journal.notKept(), 'writing memory: ENOSPC')
    isFull = false
    journal.keepAgain()
    assert.equal(journal.notKept(), undefined)
  })

  void test('what was restored is not touched again, nor the state that another keeps since', () => {
    const { machine, host, keeper } = manage()
    assert.equal(host.journal.restore(), true)
    keeper.save({ of: 'another' })
    machine.set('a', 100)
    assert.equal(host.journal.restore(), true)
    assert.equal(machine.quota('a'), 100)
    assert.deepEqual(keeper.load(), { of: 'another' })
  })

  void test('what somebody set meanwhile stays, and is told', () => {
    const { machine, keeper } = manage()
    machine.set('a', 777)
    assert.deepEqual(startAgain(machine, keeper), ['left as someone set it', 'restored'])
    assert.deepEqual(machine.settings('a'), {
      ...found,
      quotaMicros: 777_000,
      periodMicros: 1_000_000,
    })
  })

  void test('a group that is gone is told', () => {
    const { machine, keeper } = manage()
    machine.remove('a')
    assert.deepEqual(startAgain(machine, keeper), ['group gone, nothing to restore'])
  })

  void test('the state of another boot is ignored, and told', () => {
    const { machine, keeper } = manage()
    const now = machine.settings('a')
    const { told } = startHost(machine, config, {
      keeper,
      machine: { ...later, bootId: 'boot-2' },
    })
    assert.deepEqual(
      told.map(({ message }) => message),
      ['state of an earlier boot ignored'],
    )
    assert.deepEqual(machine.settings('a'), now)
  })

  void test('a group that went and came back under its name is restored to what it came with', () => {
    const { machine, host } = manage()
    machine.remove('a')
    host.run(1)
    machine.add('a', 'steady cpu=300m', 600)
    host.run(20)
    host.journal.restore()
    assert.deepEqual(machine.settings('a'), { ...found, quotaMicros: 60_000 })
  })
})

void describe('a state that cannot be taken over', () => {
  void test('is that of an agent that still runs, named by its process', () => {
    const { machine, keeper } = manage()
    const second = { ...thisBoot, self: { pid: 11, startTicks: 900 } }
    assert.throws(() => startHost(machine, config, { keeper, machine: second }), {
      name: 'InvalidInput',
      message:
        'memory: expected no other agent of this state, but process 10 is one; end it, or name another file with --state',
    })
    const needs = { ...machine, keeper, machine: second, log: () => {} }
    assert.throws(() => restoreLeftBehind(needs), {
      message: /but process 10 is one; end it, and it restores what it found$/,
    })
  })

  void test('but not that of one whose number another process has now', () => {
    const { machine, keeper } = manage()
    const recycled = { ...later, startTicksOf: () => 700 }
    startHost(machine, config, { keeper, machine: recycled })
    assert.deepEqual(machine.settings('a'), found)
  })

  each(
    [
      {
        name: 'is none',
        document: 'what?',
        says: /expected the state of a host agent, got "what\?"/,
      },
      {
        name: 'lacks something',
        document: { bootId: 'boot-1', groups: [] },
        says: /expected owner/,
      },
    ],
    ({ document, says }) => {
      const keeper = keepInMemory(document)
      assert.throws(
        () => startHost(simulateMachine(2), config, { keeper }),
        (error: Error) => {
          assert.match(error.message, says)
          assert.match(
            error.message,
            /check the quotas and cpusets of the groups first, then remove the file$/,
          )
          return true
        },
      )
    },
  )

  /** As written before groups were known by their number. */
  const earlier = {
    bootId: 'boot-1',
    owner: { pid: 4, startTicks: 1 },
    groups: [
      {
        path: 'a',
        found: { shares: 1024, quotaMicros: 80_000, periodMicros: 100_000, burstMicros: 0 },
        ours: { shares: [1024], quotaMicros: [10_000], periodMicros: [100_000], burstMicros: [0] },
      },
      {
        path: 'b',
        found: { shares: 2, quotaMicros: null, periodMicros: 100_000 },
        ours: { shares: [2], quotaMicros: [null], periodMicros: [100_000], burstMicros: [] },
      },
    ],
    cpusets: [{ path: 'c', found: { cpus: '0-3', mems: '0' }, ours: { cpus: '1', mems: '0' } }],
  }

  void test('is that of an earlier version, and says what a person has to restore', () => {
    const keeper = keepInMemory(earlier)
    const says = new RegExp(
      [
        'memory: it may be of another version of mbcas; set these groups by hand to what was found in them, then remove the file:',
        '  a: quota 80000, period 100000, burst 0, shares 1024',
        '  b: quota none, period 100000, burst none, shares 2',
        '  c: cpuset CPUs "0-3" and memory nodes "0"$',
      ].join('\n'),
    )
    assert.throws(() => startHost(simulateMachine(2), config, { keeper }), { message: says })
  })

  void test('but not one of an earlier boot, whatever version wrote it', () => {
    const keeper = keepInMemory({ ...earlier, bootId: 'boot-0' })
    const { told } = startHost(simulateMachine(2), config, { keeper })
    assert.equal(told[0]?.message, 'state of an earlier boot ignored')
  })
})
