import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { each } from '../../test/each.ts'
import { openScenario } from './scenario.ts'

const folder = mkdtempSync(join(tmpdir(), 'mbcas-recordings-'))
const path = join(folder, 'my.yaml')
const save = (name: string, text: string | Uint8Array): void =>
  writeFileSync(join(folder, name), text)

mkdirSync(join(folder, 'days'))
execFileSync('mkfifo', [join(folder, 'pipe.csv')])
save('rate.csv', '\uFEFFseconds,rate\r\n0,1\r\n300,2\r\n')
save('days/cores.csv', 'seconds,cores\n0,1\n')
save('bad.csv', 'seconds,rate\n0,1\n300,-2\n')
save('binary.csv', Uint8Array.of(0xff, 0xfe, 0x30, 0x00))
save('huge.csv', '#'.repeat((4 << 20) + 1))

const scenario = (load: string, later = 'idle'): string =>
  JSON.stringify({
    workloads: [{ name: 'web', load }],
    phases: [{ name: 'noon', at: '1m', loads: { web: later } }],
  })

void describe('the recordings of a scenario', () => {
  after(() => rmSync(folder, { recursive: true }))

  void test('are read once each, from where the scenario is, by the names that loads give', async () => {
    const cores = join(folder, 'days', 'cores.csv')
    save('my.yaml', scenario('recorded file=rate.csv cpu=1ms', `recorded file=${cores}`))
    const { recordings } = (await openScenario(path)).scenario
    assert.deepEqual([...(recordings?.keys() ?? [])], ['rate.csv', cores])
    assert.deepEqual(recordings?.get('rate.csv')?.figures, [1, 2])
    // As threads get them.
    assert.deepEqual(structuredClone(recordings), recordings)
  })

  void test('are none where nothing was recorded', async () => {
    save('my.yaml', scenario('steady cpu=1'))
    assert.equal((await openScenario(path)).scenario.recordings?.size, 0)
  })

  each(
    [
      {
        name: 'a file that is not there',
        load: 'file=gone.csv',
        says: `reading ${join(folder, 'gone.csv')}: there is no such file`,
      },
      {
        name: 'a folder',
        load: 'file=days',
        says: `reading ${join(folder, 'days')}: it is a folder`,
      },
      {
        name: 'a part of its path that is no folder',
        load: 'file=rate.csv/x',
        says: `reading ${join(folder, 'rate.csv/x')}: there is no such file: a part of its path is no folder`,
      },
      {
        name: 'a pipe',
        load: 'file=pipe.csv',
        says: `reading ${join(folder, 'pipe.csv')}: expected a regular file, got a pipe or a device`,
      },
      {
        name: 'a device without end',
        load: 'file=/dev/zero',
        says: 'reading /dev/zero: expected a regular file, got a pipe or a device',
      },
      {
        name: 'what is no text',
        load: 'file=binary.csv',
        says: `reading ${join(folder, 'binary.csv')}: expected text in UTF-8, got UTF-16; save it as UTF-8`,
      },
      {
        name: 'more than anybody records',
        load: 'file=huge.csv',
        says: `reading ${join(folder, 'huge.csv')}: expected at most 4194304 bytes, got 4194305`,
      },
      {
        name: 'a row that is wrong',
        load: 'file=bad.csv cpu=1ms',
        says: `${join(folder, 'bad.csv')}: line 3: expected a number from 0 to 1000000000, got "-2"`,
      },
      {
        name: 'a load that is not what was recorded',
        load: 'file=rate.csv',
        says: 'parsing load "recorded file=rate.csv": expected cpu, the CPU time of a request, as the header of the file says rate, got none',
      },
    ].map(({ name, load, says }) => ({ name: `are refused: ${name}`, load, says })),
    async ({ load, says }) => {
      save('my.yaml', scenario(`recorded ${load}`))
      const message = `${path}: workload web: load: ${says}`
      await assert.rejects(openScenario(path), { name: 'InvalidInput', message })
    },
  )

  void test('are refused with every file at fault, and of each the first place', async () => {
    save('my.yaml', scenario('recorded file=gone.csv', 'recorded file=bad.csv cpu=1ms'))
    await assert.rejects(openScenario(path), {
      message: [
        `${path}: workload web: load: reading ${join(folder, 'gone.csv')}: there is no such file`,
        `${path}: phase noon: load of web: ${join(folder, 'bad.csv')}: line 3: expected a number from 0 to 1000000000, got "-2"`,
      ].join('\n'),
    })
  })

  void test('have bounds together, too', async () => {
    const rows = Array.from({ length: 100_000 }, (_, i) => `${i},1`).join('\n')
    const names = Array.from({ length: 11 }, (_, i) => `many-${i}.csv`)
    for (const name of names) save(name, rows)
    const workloads = names.map((name, i) => ({ name: `w${i}`, load: `recorded file=${name}` }))
    save('my.yaml', JSON.stringify({ workloads }))
    const message = `${path}: workload w10: load: ${join(folder, 'many-10.csv')}: expected at most 1000000 rows in all recordings, got more`
    await assert.rejects(openScenario(path), { message })
  })
})
