/** The host agent as a process, on plain groups of the kernel of this machine. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { openCpusets } from '../../src/adapters/cgroup/cpusets.ts'
import { findHierarchy } from '../../src/adapters/cgroup/hierarchy.ts'
import { openCgroups } from '../../src/adapters/cgroup/reader.ts'
import { openCgroupWriter } from '../../src/adapters/cgroup/writer.ts'
import { onlineCpus } from '../../src/adapters/machine.ts'
import { formatCpuSet, parseCpuSet, unionOf } from '../../src/core/cpu/cpu-set.ts'
import { type Background, startMbcas } from '../background.ts'
import { allowedOf } from '../cgroup/cpusets.ts'
import { each } from '../each.ts'
import { makeCgroup, removeCgroup } from '../kubernetes/cgroups.ts'
import { run } from '../run.ts'
import { until } from '../until.ts'
import { type HostLoad, startLoad } from './host-load.ts'

const MOUNT = '/sys/fs/cgroup'

function findFolders(): { readonly folders: readonly string[]; readonly skip: string | false } {
  try {
    const found = findHierarchy(MOUNT)
    const folders = found.version === 2 ? [found.unified] : [found.cpu, found.cpuacct]
    for (const folder of folders) accessSync(folder, constants.W_OK)
    return { folders, skip: false }
  } catch (error) {
    return { folders: [], skip: `needs root and a CPU cgroup: ${(error as Error).message}` }
  }
}

const { folders, skip } = findFolders()
const tree = `mbcas-host-${process.pid}`
const [a, b] = [`${tree}/a`, `${tree}/b`]
/** All of the machine but so much is not sold: the load is to be small. */
const reserve = (sold: number): string => `${onlineCpus() * 1000 - sold}m`

/** One stays shared. */
const ofTwo = { skip: onlineCpus() < 2 && 'needs two CPUs' }

void describe('host agent', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-host-'))
  const [config, state] = [join(folder, 'host.yaml'), join(folder, 'state.json')]
  const running: Background[] = []
  const loads: HostLoad[] = []
  const writer = skip === false ? openCgroupWriter({ mount: MOUNT }) : undefined
  const cpusets = skip === false ? openCpusets(MOUNT) : undefined
  const cgroups = skip === false ? openCgroups({ mount: MOUNT }) : undefined

  const settings = (path: string) => writer?.settings({ path })
  const quota = (path: string): number => {
    const { quotaMicros = null, periodMicros = 1 } = settings(path) ?? {}
    return quotaMicros === null ? Infinity : (quotaMicros * 1000) / periodMicros
  }
  const weight = (path: string): number => settings(path)?.shares ?? NaN
  const isWeighed = (): boolean => weight(a) !== 1024
  /** From a look on, in millicores, once it covers so many seconds. */
  const usageSince = (path: string, seconds: number) => {
    const look = () => cgroups?.read({ path }) ?? { atMicros: 0, usageMicros: 0 }
    const from = look()
    return (): number | undefined => {
      const to = look()
      const micros = to.atMicros - from.atMicros
      return micros < seconds * 1_000_000
        ? undefined
        : ((to.usageMicros - from.usageMicros) / micros) * 1000
    }
  }
  const set = (path: string, milli: number | null): void => {
    const quotaMicros = milli === null ? null : milli * 100
    writer?.write([{ place: { path }, quotaMicros, burstMicros: 0, shares: 1024 }])
  }
  const start = (
    sold: number,
    groups: readonly object[],
    { port = 0, ...keys }: { readonly port?: number; readonly enforcement?: string } = {},
  ): Background => {
    writeFileSync(config, JSON.stringify({ reserve: reserve(sold), groups, ...keys }))
    const files = ['--config', config, '--state', state]
    const agent = startMbcas('agent', '--host', ...files, '--listen', `127.0.0.1:${port}`)
    running.push(agent)
    return agent
  }
  const isSaid = (agent: Background, message: string): boolean =>
    agent.lines.some(({ msg }) => msg === message)
  const managed = async (agent: Background): Promise<void> => {
    await until(
      'a managed group',
      () => isSaid(agent, 'group managed'),
      () => agent.said() || agent.lines,
    )
  }
  const load = (path: string, milli: number): HostLoad => {
    const started = startLoad(
      folders.map((above) => join(above, path)),
      milli,
    )
    loads.push(started)
    return started
  }
  const endAll = async (): Promise<void> => {
    for (const one of loads.splice(0)) await one.end()
    for (const agent of running.splice(0)) await agent.stop()
  }

  before(() => {
    makeCgroup(a)
    makeCgroup(b)
  })
  after(async () => {
    await endAll()
    cgroups?.close()
    await removeCgroup(tree)
    rmSync(folder, { recursive: true })
  })

  void test('a port that somebody took keeps it from serving, not from its work', async () => {
    const taker = createServer().listen(0, '127.0.0.1')
    await once(taker, 'listening')
    set(a, null)
    const { port } = taker.address() as AddressInfo
    const agent = start(1000, [{ path: a, floor: '50m' }], { port })
    await managed(agent)
    await until('a word', () => isSaid(agent, 'not serving until the port is free'))
    await until('a weight', isWeighed)
    assert.ok(!isSaid(agent, 'serving'))
    taker.close()
    await until('its metrics', () => isSaid(agent, 'serving'))
    await endAll()
  })

  void test('beside hogs a group within its floor has what it wants and hardly waits', async (t) => {
    set(a, null)
    set(b, null)
    const all = onlineCpus() * 1000
    const half = `${Math.floor(all / 2) - 50}m`
    const agent = start(all - 100, [
      { path: a, floor: half },
      { path: b, floor: half },
    ])
    const { pid } = load(a, 200)
    for (let i = 0; i < onlineCpus(); i += 1) load(b, 1000)
    await until('the group first', () => weight(a) > 10 * weight(b))
    /** Nanoseconds on a CPU, and waiting for one. */
    const schedule = (): readonly number[] =>
      readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number)
    let from = schedule()
    const waited = (): number => {
      const [run = 0, wait = 0] = schedule().map((now, i) => now - (from[i] ?? 0))
      return wait / (run + wait)
    }
    let [usedA, usedB] = [usageSince(a, 3), usageSince(b, 3)]
    const isServed = (): boolean => {
      const [ofA, ofB] = [usedA(), usedB()]
      if (ofA === undefined || ofB === undefined) return false
      const ratio = waited()
      t.diagnostic(
        `uses ${Math.round(ofA)}m of 200m, waits ${ratio.toFixed(2)}; hogs ${Math.round(ofB)}m`,
      )
      ;[from, usedA, usedB] = [schedule(), usageSince(a, 3), usageSince(b, 3)]
      return ofA > 170 && ratio < 0.25 && ofB > ofA
    }
    await until('its CPU, and the rest for the hogs', isServed)
    assert.deepEqual([quota(a), quota(b)], [Infinity, Infinity])
    const url = String(agent.lines.find(({ msg }) => msg === 'serving')?.['url'])
    const get = async (path: string): Promise<string> => (await fetch(`${url}${path}`)).text()
    assert.match(await get('/readyz'), /ok/)
    assert.match(await get('/metrics'), new RegExp(`mbcas_host_weight{group="${a}"} \\d+`))
    await endAll()
  })

  void test('a ceiling holds a group that wants more', async () => {
    set(a, null)
    start(onlineCpus() * 1000 - 100, [{ path: a, floor: '50m', ceiling: '300m' }])
    await until('the ceiling', () => quota(a) === 300)
    load(a, 1000)
    const used = usageSince(a, 3)
    await until('some seconds', () => used() !== undefined)
    // What a CPU took locally before it ran out: 5 ms each in every period.
    const most = 300 + 50 * onlineCpus()
    assert.ok((used() ?? Infinity) <= most, `${used()}m`)
    assert.equal(quota(a), 300)
    await endAll()
    assert.equal(quota(a), Infinity)
  })

  void test('a weight that somebody else sets is put right, and is there at the end', async () => {
    set(a, null)
    const agent = start(800, [{ path: a, floor: '50m' }])
    await until('a weight', isWeighed)
    writer?.write([{ place: { path: a }, shares: 512 }])
    const theirs = weight(a)
    await until('ours again', () => weight(a) !== theirs)
    assert.equal(await agent.stop(), 0)
    assert.equal(weight(a), theirs)
  })

  void test('SIGTERM brings back exactly what was found', async () => {
    set(a, 700)
    set(b, null)
    const found = [settings(a), settings(b)]
    const agent = start(800, [
      { path: a, floor: '50m', ceiling: '100m' },
      { path: b, floor: '60m' },
    ])
    await until('other values', () => quota(a) === 100 && isWeighed() && weight(b) !== 1024)
    assert.ok(existsSync(state))
    assert.equal(await agent.stop(), 0)
    assert.deepEqual([settings(a), settings(b)], found)
    assert.ok(!existsSync(state))
  })

  void test('after kill -9 the next start brings it back first', async () => {
    set(a, 700)
    const found = settings(a)
    const groups = [{ path: a, floor: '50m', ceiling: '100m' }]
    const killed = start(800, groups)
    await until('other values', () => quota(a) === 100 && isWeighed())
    killed.kill('SIGKILL')
    await killed.ended
    assert.notDeepEqual(settings(a), found)
    const next = start(800, groups)
    await managed(next)
    const said = next.lines.map(({ msg }) => msg)
    assert.ok(said.indexOf('restored') >= 0, said.join())
    assert.ok(said.indexOf('restored') < said.indexOf('group managed'), said.join())
    await next.stop()
    assert.deepEqual(settings(a), found)
  })

  void test(
    'a group has a CPU for itself, the others have the rest, and all is undone',
    ofTwo,
    async () => {
      const own = [
        { path: a, exclusiveCpus: 1 },
        { path: b, floor: '50m' },
      ]
      const [first, second] = [load(a, 10), load(b, 10)]
      const allowed = () => [allowedOf(first.pid), allowedOf(second.pid)]
      const found = allowed()
      const cpusetsOf = () => cpusets?.wayTo(a).concat(cpusets.wayTo(b))
      const sets = cpusetsOf()
      const isParted = () => {
        const [one = [], others = []] = allowed().map(parseCpuSet)
        return (
          one.length === 1 &&
          formatCpuSet(unionOf(one, others)) === found[0] &&
          !others.includes(one[0] ?? 0)
        )
      }

      const killed = start(onlineCpus() * 1000 - 100, own)
      await until('one CPU and all others', isParted, () => killed.said() || allowed())
      const parted = allowed()
      await until('no quota', () => quota(a) === Infinity)
      const taskset = await run('taskset', ['-pc', String(first.pid)])
      assert.match(taskset.stdout, new RegExp(`list: ${parted[0]}$`, 'm'))
      killed.kill('SIGKILL')
      await killed.ended
      assert.deepEqual(allowed(), parted)

      const next = start(onlineCpus() * 1000 - 100, own)
      await managed(next)
      await until('one CPU and all others again', isParted)
      assert.deepEqual(allowed(), parted)
      assert.equal(await next.stop(), 0)
      assert.deepEqual(allowed(), found)
      if (cpusets?.inherits === false) assert.deepEqual(cpusetsOf(), sets)
      await endAll()
    },
  )

  void test('a second agent on the same state is refused, with the process of the first', async () => {
    const groups = [{ path: a, floor: '50m' }]
    const first = start(800, groups)
    await managed(first)
    const second = start(800, groups)
    assert.equal(await second.ended, 2)
    assert.match(second.said(), new RegExp(`process ${first.pid} is one`))
    assert.ok(existsSync(state))
    await first.stop()
  })

  void test('two strict ones that want more than there is get it by weight', async () => {
    set(a, 300)
    set(b, 50)
    const groups = [
      { path: a, floor: '50m', weight: 1 },
      { path: b, floor: '50m', weight: 2 },
    ]
    start(400, groups, { enforcement: 'strict' })
    load(a, 400)
    await until('all for the one', () => quota(a) === 350)
    load(b, 400)
    await until('shares', () => quota(a) === 150 && quota(b) === 250)
    await endAll()
  })

  void test('a group made later is taken up', async () => {
    const agent = start(800, [{ path: `${tree}/later`, floor: '50m' }])
    await until('the wait to be told', () => isSaid(agent, 'group not there'))
    makeCgroup(`${tree}/later`)
    await managed(agent)
    await agent.stop()
  })
})

void describe('host agent: what it refuses to start with', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-host-'))
  after(() => rmSync(folder, { recursive: true }))

  each(
    [
      {
        name: 'an unknown key, with the nearest known one',
        text: 'groups: [{ path: a, floor: 100m }]\nreserv: 1',
        says: /host\.yaml: unknown key "reserv"; did you mean "reserve"\?/,
      },
      {
        name: 'an unknown key of a group',
        text: 'groups: [{ path: a, floor: 100m, wait: 1 }]',
        says: /group 1: unknown key "wait"/,
      },
      {
        name: 'more CPUs of its own than there are',
        text: 'groups: [{ path: a, exclusiveCpus: 4096 }]',
        says: /group a: expected exclusiveCpus of at most the \d+ left, got 4096: of the \d+ CPUs of this machine 1 must stay shared/,
      },
      { name: 'no YAML', text: 'groups: [', says: /reading .*host\.yaml: / },
      {
        name: 'a floor above the machine',
        text: 'groups: [{ path: a, floor: 9999 }]',
        says: /group a: expected floor within the capacity of /,
      },
    ],
    async ({ text, says }) => {
      const config = join(folder, 'host.yaml')
      writeFileSync(config, text)
      const { code, stderr } = await run('bin/mbcas', ['agent', '--host', '--config', config])
      assert.equal(code, 2)
      assert.match(stderr, says)
    },
  )

  void test('a state file that is none, with the remedy', { skip }, async () => {
    const [config, state] = ['examples/host.yaml', join(folder, 'state.json')]
    writeFileSync(state, '{')
    const args = ['--config', config, '--state', state, '--listen', '127.0.0.1:0']
    const { code, stderr } = await run('bin/mbcas', ['agent', '--host', ...args])
    assert.equal(code, 2)
    assert.match(
      stderr,
      /state\.json: .*check the quotas and cpusets of the groups first, then remove the file/,
    )
  })

  void test('no configuration', async () => {
    const { code, stderr } = await run('bin/mbcas', ['agent', '--host'])
    assert.equal(code, 2)
    assert.match(stderr, /--config/)
  })
})
