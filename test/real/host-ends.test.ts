/** However a host agent ends, what it found, or what somebody set since, is there afterwards. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'

import { foldersOf } from '../../src/adapters/cgroup/hierarchy.ts'
import { openCgroupWriter } from '../../src/adapters/cgroup/writer.ts'
import type { CpuSettings, Setting, SettingChange } from '../../src/core/cgroup/plan-writes.ts'
import { type Background, startLogging, startMbcas } from '../background.ts'
import { assertLaw } from '../cgroup/host-life.ts'
import { findOurs, lifeOnKernel } from '../cgroup/kernel-life.ts'
import { each } from '../each.ts'
import { makeCgroup, removeCgroup } from '../kubernetes/cgroups.ts'
import { run } from '../run.ts'
import { until } from '../until.ts'

const { hierarchy, skip } = findOurs()
const tree = `mbcas-ends-${process.pid}`
const path = `${tree}/a`
const folders = hierarchy === undefined ? [] : foldersOf(hierarchy)
const onV1 = { skip: hierarchy?.version === 2 && 'needs cgroup v1' }

void describe('a host agent that ends', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-host-'))
  const [config, state] = [join(folder, 'host.yaml'), join(folder, 'state.json')]
  const writer = openCgroupWriter()
  const ground = hierarchy && lifeOnKernel(hierarchy, tree)
  const running: Background[] = []

  const settings = (at = path): CpuSettings => {
    const now = writer.settings({ path: at })
    assert.ok(now !== undefined, `${at} is there`)
    return now
  }
  const set = (change: SettingChange, at = path): void => {
    assert.deepEqual(writer.write([{ place: { path: at }, ...change }]).refused, [])
  }
  /** A strict group that is idle gets its floor of 100m, which is 100000 in a period of 1 s. */
  const found = { quotaMicros: 100_000, periodMicros: 100_000, burstMicros: 0, shares: 1024 }
  const groups = [{ path, floor: '100m' }]
  const keys = { samplingInterval: '100ms', enforcement: 'strict', costEfficiencyMode: true }
  const start = (document: object = { ...keys, groups }): Background => {
    writeFileSync(config, JSON.stringify(document))
    const files = ['--config', config, '--state', state]
    const agent = startMbcas('agent', '--host', ...files, '--listen', '127.0.0.1:0')
    running.push(agent)
    return agent
  }
  const isMoved = (): boolean => settings().periodMicros !== 100_000
  const isAtFloor = (): boolean => isMoved() && settings().quotaMicros === 100_000
  const moved = async (agent: Background, is = isMoved): Promise<void> =>
    void (await until('other values', is, () => [settings(), agent.said()]))
  const isManaged = (agent: Background): boolean =>
    agent.lines.some(({ msg }) => msg === 'group managed')
  const killed = async (is = isMoved): Promise<void> => {
    const agent = start()
    await moved(agent, () => isManaged(agent) && is())
    agent.kill('SIGKILL')
    await agent.ended
    assert.ok(isMoved())
  }
  const byHand = (setting: Setting, to: number | null, at = path): void =>
    assert.ok(ground?.set(at, setting, to), `${setting} of ${at} to ${to}`)
  const rename = (from: string, to: string): void =>
    folders.forEach((folder) => renameSync(join(folder, from), join(folder, to)))
  const restore = async () => run('bin/mbcas', ['agent', '--host', '--restore', '--state', state])

  before(() => makeCgroup(path))
  afterEach(async () => {
    for (const agent of running.splice(0)) await agent.stop()
    rmSync(state, { force: true })
    set({ ...found, burstMicros: 0 })
  })
  after(async () => {
    await removeCgroup(tree)
    rmSync(folder, { recursive: true })
  })

  each(
    (['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const).map((signal) => ({
      name: `by ${signal} restores all, also a quota that is the same number in another period`,
      signal,
    })),
    async ({ signal }) => {
      set(found)
      const agent = start()
      await moved(agent, isAtFloor)
      agent.kill(signal)
      assert.equal(await agent.ended, 0)
      assert.deepEqual(settings(), found)
      assert.ok(!existsSync(state))
    },
  )

  void test('over hundreds of lives, in this process, leaves what was found or set since', () => {
    if (ground !== undefined) assertLaw({ ...ground, paths: [`${tree}/x`, `${tree}/y`] }, 300)
  })

  void test('by two signals at once restores all the same', async () => {
    set(found)
    const agent = start()
    await moved(agent)
    agent.kill('SIGHUP')
    agent.kill('SIGTERM')
    await agent.ended
    assert.deepEqual(settings(), found)
  })

  each(
    [
      { name: 'by an error that nobody catches restores all', bug: 'throw new Error("a bug")' },
      { name: 'by a promise that nobody awaits restores all', bug: 'Promise.reject("a bug")' },
    ],
    async ({ bug }) => {
      set(found)
      writeFileSync(config, JSON.stringify({ ...keys, groups }))
      const module = `data:text/javascript,process.on("SIGWINCH",()=>{${bug}})`
      const files = ['--config', config, '--state', state, '--listen', '127.0.0.1:0']
      const args = ['--import', module, 'dist/src/main.js', 'agent', '--host', ...files]
      const agent = startLogging(process.execPath, args)
      running.push(agent)
      await moved(agent, isAtFloor)
      agent.kill('SIGWINCH')
      assert.equal(await agent.ended, 1)
      assert.deepEqual(settings(), found)
      assert.ok(!existsSync(state))
    },
  )

  void test('does not end because nobody reads its log any longer', async () => {
    set(found)
    const agent = start({
      ...keys,
      groups: [...groups, { path: `${tree}/no`, floor: '10m' }],
    })
    agent.closeLog()
    await moved(agent, isAtFloor)
    assert.equal(await agent.stop(), 0)
    assert.deepEqual(settings(), found)
  })

  void test('ten times by kill -9 leaves exactly what was found, once one ends in order', async () => {
    set({ ...found, burstMicros: 20_000 })
    const first = settings()
    for (let i = 0; i < 10; i += 1) await killed()
    assert.equal((await restore()).code, 0)
    assert.deepEqual(settings(), first)
  })

  void test('by kill -9 leaves what somebody sets before the next starts, and so does that one', async () => {
    set({ ...found, quotaMicros: null })
    const document = { ...keys, groups: [{ ...groups[0], floor: '60m' }] }
    const agent = start(document)
    await moved(agent, () => settings().quotaMicros === 60_000)
    agent.kill('SIGKILL')
    await agent.ended
    // The number that the agent had set last, in another period.
    byHand('burstMicros', 0)
    byHand('periodMicros', 100_000)
    const next = start(document)
    await until('it writes', () => isManaged(next) && settings().shares !== 1024)
    assert.equal(await next.stop(), 0)
    assert.deepEqual(settings(), { ...found, quotaMicros: 60_000 })
  })

  void test('leaves what somebody sets while it runs', async () => {
    set(found)
    const agent = start()
    await moved(agent, isAtFloor)
    byHand('quotaMicros', 600_000)
    const { quotaMicros, periodMicros } = settings()
    await moved(agent, () => settings().quotaMicros !== quotaMicros)
    assert.equal(await agent.stop(), 0)
    assert.deepEqual(settings(), { ...found, quotaMicros, periodMicros })
  })

  each(
    [
      {
        name: 'by kill -9 is undone by the next start, whose configuration has a typo',
        document: { groups, reserv: 1 },
        says: /did you mean "reserve"/,
      },
      {
        name: 'by kill -9 is undone by the next start, whose configuration asks for too much',
        document: { groups, reserve: '4096' },
        says: /reserve/,
      },
    ],
    async ({ document, says }) => {
      set(found)
      await killed(isAtFloor)
      const next = start(document)
      assert.equal(await next.ended, 2)
      assert.match(next.said(), says)
      assert.deepEqual(settings(), found)
      assert.ok(!existsSync(state))
    },
  )

  void test('by kill -9 is undone by the next start that has no configuration, or no free port', async () => {
    for (const more of [[], ['--config', config, '--listen', 'nowhere']]) {
      set(found)
      await killed()
      const next = await run('bin/mbcas', ['agent', '--host', '--state', state, ...more])
      assert.equal(next.code, 2)
      assert.match(next.stderr, more.length === 0 ? /expected --config/ : /nowhere/)
      assert.deepEqual(settings(), found)
    }
  })

  void test('by kill -9 is undone by --restore, which says what it did', async () => {
    set(found)
    await killed(isAtFloor)
    const { code, stdout, stderr } = await restore()
    assert.deepEqual([code, stderr], [0, ''])
    const lines = stdout.trim().split('\n')
    assert.equal(lines.at(-1), `restored ${lines.length - 1} values`)
    assert.match(stdout, new RegExp(`^restored cpu\\.\\S+ of ${path} from \\S+( \\d+)? to `, 'm'))
    assert.deepEqual(settings(), found)
    const again = await restore()
    assert.deepEqual([again.code, again.stdout], [0, `nothing to restore: there is no ${state}\n`])
  })

  void test('--restore says what somebody set since, and leaves it', async () => {
    set(found)
    await killed(isAtFloor)
    byHand('shares', 512)
    const { shares } = settings()
    const { code, stdout } = await restore()
    assert.equal(code, 0)
    assert.match(
      stdout,
      new RegExp(`^${path}: left as someone set it: shares ${shares}: found`, 'm'),
    )
    assert.deepEqual(settings(), { ...found, shares })
  })

  void test('--restore is refused while an agent runs, and has no effect', async () => {
    set(found)
    const agent = start()
    await moved(agent, isAtFloor)
    const { code, stderr } = await restore()
    assert.equal(code, 2)
    assert.match(stderr, new RegExp(`process ${agent.pid} is one`))
    assert.ok(isMoved())
    assert.equal(await agent.stop(), 0)
    assert.deepEqual(settings(), found)
  })

  void test('--restore needs --host', async () => {
    const { code, stderr } = await run('bin/mbcas', ['agent', '--restore'])
    assert.equal(code, 2)
    assert.match(stderr, /--restore: expected --host with it/)
  })

  void test(
    '--restore says what it cannot restore, and why, until that is out of the way',
    onV1,
    async () => {
      set(found)
      await killed(isAtFloor)
      byHand('quotaMicros', 50_000, tree)
      const refused = await restore()
      assert.equal(refused.code, 2)
      assert.match(
        refused.stderr,
        /restoring what an agent left behind: .*EINVAL.*what was found is in .*state/,
      )
      byHand('quotaMicros', null, tree)
      assert.equal((await restore()).code, 0)
      assert.deepEqual(settings(), found)
    },
  )

  void test('restores a group under another name at once, and says so', onV1, async () => {
    set(found)
    const agent = start()
    await moved(agent, isAtFloor)
    rename(path, `${tree}/renamed`)
    await until('it is told', () => agent.lines.some(({ msg }) => msg === 'group renamed'))
    await until('it is restored', () => settings(`${tree}/renamed`).periodMicros === 100_000)
    rename(`${tree}/renamed`, path)
    assert.equal(await agent.stop(), 0)
    assert.deepEqual(settings(), found)
  })

  void test('by kill -9 is undone under another name, and that is told', onV1, async () => {
    set(found)
    await killed(isAtFloor)
    const name = `${tree}/renamed`
    rename(path, name)
    const { code, stdout } = await restore()
    assert.equal(code, 0)
    assert.match(stdout, new RegExp(`^${path}: group renamed: ${name}$`, 'm'))
    assert.deepEqual(settings(name), found)
    rename(name, path)
  })

  void test('says which hierarchy a group is missing in', onV1, async () => {
    const half = `${tree}/half`
    mkdirSync(join(folders[0] ?? '', half))
    const agent = start({ ...keys, groups: [{ path: half, floor: '10m' }] })
    const said = () => agent.lines.find(({ msg }) => msg === 'group not there')?.['reason']
    await until('it is told', () => said() !== undefined)
    assert.match(
      String(said()),
      new RegExp(`cpuacct/${half} is not there: on cgroup v1 a group needs`),
    )
    assert.equal(await agent.stop(), 0)
  })
})
