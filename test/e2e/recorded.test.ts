/** A day of somebody's own, from a file of theirs, through every command that plays scenarios. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { each } from '../each.ts'
import { mbcas, type Ran } from '../run.ts'

const folder = mkdtempSync(join(tmpdir(), 'mbcas-recorded-'))
after(() => rmSync(folder, { recursive: true }))
mkdirSync(join(folder, 'days'))

const save = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

/** Ten requests a second of 10 ms, a rush of fifty, and ten again: a minute each. */
save(
  'days/rush.csv',
  '# ours\r\nseconds,rate\r\n1760000000,10\r\n1760003600,50\r\n1760007200,10\r\n',
)
save('days/jobs.csv', 'seconds,cores\n0,0.5\n3600,1.5\n7200,0.5\n')
const scenarioOf = (web: string): string =>
  JSON.stringify({
    duration: '190s',
    nodes: [{ count: 1, cpus: 4 }],
    workloads: [
      { name: 'web', cpu: { request: '100m', limit: '300m' }, load: web, slo: { p99: '100ms' } },
      { name: 'jobs', cpu: { request: '100m' }, load: 'recorded file=days/jobs.csv speed=60' },
    ],
  })
const rush = 'recorded file=days/rush.csv speed=60 cpu=10ms threads=4'
const scenario = save('mine.yaml', scenarioOf(rush))

type View = {
  readonly arms: readonly {
    readonly name: string
    readonly workloads: readonly {
      readonly name: string
      readonly demandedCores: number
      readonly sloViolationRatio?: number
    }[]
  }[]
}

const simulate = async (file: string, ...args: readonly string[]): Promise<Ran> =>
  mbcas(['simulate', '-f', file, '--compare', 'static,unlimited', '-o', 'json', ...args])

void describe('a recorded day', { concurrency: 2 }, () => {
  void test('is met alike by all controllers, and again the same', async () => {
    const [one, again, other] = [
      await simulate(scenario),
      await simulate(scenario),
      await simulate(scenario, '--seed', '7'),
    ]
    assert.equal(one.code, 0, one.stderr)
    assert.equal(again.stdout, one.stdout)
    assert.notEqual(other.stdout, one.stdout)
    const { arms } = JSON.parse(one.stdout) as View
    const [limited, free] = arms.map(({ workloads }) =>
      Object.fromEntries(workloads.map((workload) => [workload.name, workload])),
    )
    for (const arm of [limited, free]) {
      // A third of the time 50 requests a second, else 10, of 10 ms; jobs of 1.5 and 0.5 cores.
      const [web, jobs] = [arm?.['web']?.demandedCores ?? NaN, arm?.['jobs']?.demandedCores ?? NaN]
      assert.ok(Math.abs(web - 0.23) < 0.02, `${web}`)
      assert.ok(Math.abs(jobs - 0.83) < 0.03, `${jobs}`)
    }
    assert.equal(limited?.['web']?.demandedCores, free?.['web']?.demandedCores)
    assert.ok((limited?.['web']?.sloViolationRatio ?? 0) > 0.25)
    assert.equal(free?.['web']?.sloViolationRatio, 0)
  })

  void test('is found from where a scenario on standard input is played', async () => {
    const args = ['simulate', '-f', '-', '--compare', 'static', '-o', 'json']
    const input = readFileSync(scenario, 'utf8')
    const here = await mbcas(args, { input, cwd: folder })
    assert.equal(here.code, 0, here.stderr)
    const elsewhere = await mbcas(args, { input, cwd: join(folder, 'days') })
    assert.equal(elsewhere.code, 2)
    assert.match(
      elsewhere.stderr,
      /^mbcas: standard input: workload web: load: reading days\/rush\.csv: there is no such file$/m,
    )
  })

  void test('is played by a cluster without MBCAS, byte for byte again, as any other load', async () => {
    const play = async (name: string, load: string): Promise<string> => {
      const [file, log] = [save(`${name}.yaml`, scenarioOf(load)), join(folder, `${name}.jsonl`)]
      const { code, stderr } = await mbcas(
        ['cluster', '--scenario', file, '--speed', 'max'].concat(['--events', log]),
      )
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
      return readFileSync(log, 'utf8')
    }
    const log = await play('one', rush)
    assert.ok(log === (await play('two', rush)), 'two runs differ')
    // A container whose load is refused does not start.
    const happenings = (text: string) =>
      text.match(/"at":"[^"]*"|"change":"[^"]*","resource":"[^"]*"/g)
    const plain = await play('plain', 'requests rate=10 cpu=10ms')
    assert.deepEqual(happenings(log), happenings(plain))
  })

  void test('is played by a demo', async () => {
    const args = [
      '--scenario',
      scenario,
      '--speed',
      'max',
      '--duration',
      '2m',
      '--no-browser',
      '--port',
      '0',
    ]
    const { code, stdout, stderr } = await mbcas(['demo', ...args])
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    assert.match(stdout, /mine/)
  })

  void test('is an example', async () => {
    const args = ['simulate', '-f', 'recorded-day', '--duration', '2m', '--compare', 'static']
    const { code, stdout } = await mbcas(args)
    assert.equal(code, 0)
    assert.match(stdout, /shop, 150 ms/)
  })
})

void describe('a recorded day is refused', { concurrency: 2 }, () => {
  const csv = (name: string, text: string): string => {
    save(`days/${name}.csv`, text)
    return `recorded file=days/${name}.csv cpu=1ms`
  }
  each(
    [
      {
        name: 'without its file',
        load: 'recorded file=gone.csv cpu=1ms',
        says: 'reading FOLDER/gone.csv: there is no such file',
      },
      {
        name: 'without a row',
        load: csv('empty', '# soon\n'),
        says: 'FOLDER/days/empty.csv: expected rows of seconds and a figure, such as 300,12.5, got none',
      },
      {
        name: 'with a negative rate',
        load: csv('negative', '0,1\n60,-1'),
        says: 'FOLDER/days/negative.csv: line 2: expected a number from 0 to 1000000000, got "-1"',
      },
      {
        name: 'with time that goes back',
        load: csv('back', '60,1\n0,1'),
        says: 'FOLDER/days/back.csv: line 2: expected more seconds than in the row before, got "0"',
      },
      {
        name: 'of cores as requests',
        load: rush.replace('rush', 'jobs'),
        says: `parsing load "recorded file=days/jobs.csv speed=60 cpu=10ms threads=4": expected no cpu, as the header of the file says cores, got the CPU time of a request`,
      },
      {
        name: 'with a mistyped field',
        load: 'recorded file=days/rush.csv cpu=1ms sped=60',
        says: `parsing load "recorded file=days/rush.csv cpu=1ms sped=60": expected for recorded file, scale, speed, after, cpu, spread, threads, queue, seed (perhaps speed), got "sped"`,
      },
    ],
    async ({ name, load, says }) => {
      const file = save(`${name.replaceAll(' ', '-')}.yaml`, scenarioOf(load))
      const { code, stdout, stderr } = await simulate(file)
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' })
      assert.match(stderr, /: workload (web|1): load: /)
      assert.ok(stderr.includes(says.replace('FOLDER', folder)), stderr)
      assert.ok(stderr.startsWith(`mbcas: ${file}: `), stderr)
    },
  )
})
