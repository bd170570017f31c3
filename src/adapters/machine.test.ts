import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'

import { bootId, onlineCpus, startTicksOf } from './machine.ts'

void describe('the machine', () => {
  void test('has the CPUs that are on line, whatever this process may use', () => {
    const online = readFileSync('/sys/devices/system/cpu/online', 'utf8').trim()
    const count = online
      .split(',')
      .map((range) => range.split('-').map(Number))
      .reduce((sum, [from = 0, to = from]) => sum + to - from + 1, 0)
    assert.equal(onlineCpus(), count)
    assert.ok(onlineCpus() >= availableParallelism())
  })

  void test('tells its boots apart', () => assert.match(bootId(), /^[0-9a-f-]{36}$/))

  void test('knows when a process started, and that there is none', () => {
    const [self, first] = [startTicksOf(process.pid), startTicksOf(1)]
    assert.ok(self !== undefined && first !== undefined && self > first)
    assert.equal(startTicksOf(process.pid), self)
    assert.equal(startTicksOf(2 ** 22 + 1), undefined)
  })

  void test('counts a zombie among those that have ended', async (t) => {
    // The shell becomes a program that never asks how its child, which ends after that, did.
    const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 60'])
    t.after(() => parent.kill('SIGKILL'))
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(String(line))
    const stateOf = (): string => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? ''
    while (!stateOf().startsWith('Z')) await setTimeout(5)
    assert.equal(startTicksOf(pid), undefined)
  })
})
