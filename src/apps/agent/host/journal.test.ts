import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../../test/each.ts'
import {
  simulateMachine,
  type SimulatedMachine,
  startHost,
  thisBoot,
} from '../../../../test/host-machine.ts'
import type { KeptDocument } from '../../../ports/kept-document.ts'
import { keepInMemory } from '../../../sim/kept-in-memory.ts'
import { openJournal } from './journal.ts'

const config = { groups: [{ path: 'a', floor: '100m', weight: 2 }] }
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
      message: /memory: expected no other agent of this state, but process 10 is one/,
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
      { name: 'lacks something', document: { bootId: 'b', groups: [] }, says: /expected owner/ },
    ],
    ({ document, says }) => {
      const keeper = keepInMemory(document)
      assert.throws(
        () => startHost(simulateMachine(2), config, { keeper }),
        (error: Error) => {
          assert.match(error.message, says)
          assert.match(
            error.message,
            /check the quotas and cpusets of the groups and remove the file/,
          )
          return true
        },
      )
    },
  )
})
