/** Puts the real kernel (cgroup v1) to a setting: groups of its own, gone when it is done. */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { findHierarchy } from '../../../src/adapters/cgroup/hierarchy.ts'
import { run } from '../../run.ts'
import { nowMicros } from '../burn.ts'
import { readMachine } from '../machine-use.ts'
import { answered, requestsOf } from './arrivals.ts'
import type { Group, Measured, RealGrown, Setting } from './setting.ts'
import { type Answer, type Order, tickMicros } from './spinner.ts'

const root = `mbcas-model-bench-${process.pid}`
const script = fileURLToPath(new URL('spinner.js', import.meta.url))
/** From the common start: time for all to be under way, then what is measured. */
const readMicros = { from: 1_000_000, to: 6_000_000 }
/** A run in which others took more of the machine is repeated, and the quietest counts. */
const quietRatio = 0.2
const mostRuns = 2

type Folders = { readonly cpu: string; readonly cpuacct: string }

/** Why it cannot be done here, if so. */
export function whyNot(): string | undefined {
  try {
    const found = findHierarchy('/sys/fs/cgroup')
    if (found.version === 2) return 'expected the CPU controller on cgroup v1, got v2'
    const probe = join(found.cpu, root)
    mkdirSync(probe)
    rmdirSync(probe)
    return undefined
  } catch (error) {
    return `making a CPU cgroup: ${(error as Error).message}`
  }
}

export async function measureQuietly(setting: Setting): Promise<Measured> {
  let best = await measure(setting)
  for (let runs = 1; runs < mostRuns && noiseOf(best) > quietRatio; runs++) {
    const next = await measure(setting)
    if (noiseOf(next) < noiseOf(best)) best = next
  }
  return best
}

const noiseOf = ({ stealRatio, othersRatio }: Measured): number => stealRatio + othersRatio

async function measure(setting: Setting): Promise<Measured> {
  const found = findHierarchy('/sys/fs/cgroup')
  if (found.version === 2) throw new Error('measuring the kernel: expected cgroup v1, got v2')
  const top = { cpu: join(found.cpu, root), cpuacct: join(found.cpuacct, root) }
  const folders = setting.groups.map((_, i) => below(top, `g${i}`))
  const children: ChildProcess[] = []
  try {
    for (const { cpu, cpuacct } of [top, ...folders]) {
      mkdirSync(cpu, { recursive: true })
      mkdirSync(cpuacct, { recursive: true })
    }
    // Before all else on the machine, so that only what is set holds the groups back.
    writeFileSync(join(top.cpu, 'cpu.shares'), '262144')
    const teams: ChildProcess[][] = []
    for (const [i, group] of setting.groups.entries()) {
      const team = await hire(group, folders[i] ?? top)
      teams.push(team)
      children.push(...team)
    }
    return await watch({ setting, folders, teams })
  } finally {
    await Promise.all(children.map(end))
    for (const { cpu, cpuacct } of [...folders, top]) {
      await removeGroup(cpu)
      if (cpuacct !== cpu) await removeGroup(cpuacct)
    }
  }
}

const below = ({ cpu, cpuacct }: Folders, name: string): Folders => ({
  cpu: join(cpu, name),
  cpuacct: join(cpuacct, name),
})

/** Each thread on a CPU of its own as far as there are any, so that none waits where another idles. */
async function hire(group: Group, folders: Folders): Promise<ChildProcess[]> {
  const team: ChildProcess[] = []
  const cpus = availableParallelism()
  for (let i = 0; i < group.threads; i++) {
    const child = fork(script)
    await new Promise((resolve) => child.once('spawn', resolve))
    for (const folder of [folders.cpu, folders.cpuacct])
      writeFileSync(join(folder, 'cgroup.procs'), String(child.pid))
    if (group.threads <= cpus)
      await run('taskset', ['-a', '-p', '-c', String(i), String(child.pid)])
    team.push(child)
  }
  return team
}

type Scene = {
  readonly setting: Setting
  readonly folders: readonly Folders[]
  readonly teams: readonly (readonly ChildProcess[])[]
}

async function watch({ setting, folders, teams }: Scene): Promise<Measured> {
  await sleep(300) // until the processes are up
  const { periodMicros, groups } = setting
  let grid = { phaseMicros: 0, tickMicros: 0 }
  for (const [i, group] of groups.entries()) {
    const { cpu = '' } = folders[i] ?? {}
    const first = teams[i]?.[0]
    writeFileSync(join(cpu, 'cpu.shares'), String(group.shares))
    if (group.quotaMicros === null || first === undefined) continue
    writeFileSync(join(cpu, 'cpu.cfs_period_us'), String(periodMicros))
    writeFileSync(join(cpu, 'cpu.cfs_quota_us'), String(periodMicros / 10))
    const answer = await ask(first, { do: 'calibrate', periodMicros })
    if (i === 0 && 'phaseMicros' in answer) grid = answer
    writeFileSync(join(cpu, 'cpu.cfs_quota_us'), String(group.quotaMicros))
    writeFileSync(join(cpu, 'cpu.cfs_burst_us'), String(group.burstMicros))
  }
  await sleep(300)
  const soon = nowMicros() + 300_000
  const startMicros = soon + periodMicros - ((soon - grid.phaseMicros) % periodMicros)
  const answers = groups.map(async (group, i) => {
    const order = orderOf(group, { startMicros, periodMicros })
    return Promise.all((teams[i] ?? []).map(async (child) => ask(child, order)))
  })
  const before = await readAt(startMicros + readMicros.from, folders)
  const after = await readAt(startMicros + readMicros.to, folders)
  const grown: RealGrown[] = []
  for (const i of groups.keys()) {
    const [first, last, said] = [before.groups[i], after.groups[i], await answers[i]]
    if (first === undefined || last === undefined || said === undefined) continue
    const counters = differences(first, last)
    const lost = isAlone(setting)
      ? sumOf(said.map((one) => ('lostMicros' in one ? one.lostMicros : 0)))
      : 0
    const freeRatio = counters.usageMicros / (counters.usageMicros + lost)
    grown.push({ ...counters, ...answered(said, readMicros.to), freeRatio })
  }
  const used = sumOf(grown.map(({ usageMicros }) => usageMicros))
  const machine = (after.atMicros - before.atMicros) * availableParallelism()
  const ticks = differences(before.machine, after.machine)
  return {
    setting,
    intoTickMicros: (startMicros - grid.tickMicros) % tickMicros,
    fromMicros: before.atMicros - startMicros,
    toMicros: after.atMicros - startMicros,
    groups: grown,
    lostMilli: isFull(setting)
      ? Math.max(0, Math.round((1 - used / machine) * 1000 * availableParallelism()))
      : 0,
    stealRatio: ticks.stealMicros / machine,
    othersRatio: Math.max(0, ticks.busyMicros - used) / machine,
  }
}

type Start = { readonly startMicros: number; readonly periodMicros: number }

function orderOf({ work }: Group, { startMicros, periodMicros }: Start): Order {
  if (work.kind === 'requests')
    return { do: 'requests', startMicros, requests: requestsOf(work.load, readMicros.to) }
  const [fromMicros, toMicros] = [startMicros + readMicros.from, startMicros + readMicros.to]
  const times = { startMicros, periodMicros, fromMicros, toMicros }
  if (work.kind === 'always') return { do: 'always', ...times }
  const [everyMicros, forMicros] = [work.everyMillis * 1000, work.forMillis * 1000]
  return { do: 'windows', ...times, everyMicros, forMicros }
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

const ask = async (child: ChildProcess, order: Order): Promise<Answer> =>
  new Promise((resolve, reject) => {
    child.once('message', (answer: Answer) => resolve(answer))
    child.once('exit', () => reject(new Error(`asking a spinner to ${order.do}: it ended`)))
    child.send(order)
  })

/** Whether every thread has a CPU: then it waits for nothing but quota and others than the groups. */
const isAlone = ({ groups }: Setting): boolean =>
  sumOf(groups.map(({ threads }) => threads)) <= availableParallelism()

/** Whether the groups alone would use all of the machine at all times. */
function isFull({ groups, periodMicros }: Setting): boolean {
  const wanted = groups.map(({ threads, quotaMicros }) =>
    quotaMicros === null ? threads : Math.min(threads, quotaMicros / periodMicros),
  )
  return sumOf(wanted) >= availableParallelism()
}

async function readAt(moment: number, folders: readonly Folders[]) {
  await sleep((moment - nowMicros()) / 1000)
  const atMicros = nowMicros()
  return { atMicros, machine: readMachine(), groups: folders.map(readGroup) }
}

function readGroup({ cpu, cpuacct }: Folders) {
  const stat = readFileSync(join(cpu, 'cpu.stat'), 'utf8')
  const field = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(stat)?.[1])
  return {
    usageMicros: Math.round(Number(readFileSync(join(cpuacct, 'cpuacct.usage'), 'utf8')) / 1000),
    periods: field('nr_periods'),
    throttledPeriods: field('nr_throttled'),
    throttledMicros: Math.round(field('throttled_time') / 1000),
    bursts: field('nr_bursts'),
    burstMicros: Math.round(field('burst_time') / 1000),
  }
}

function differences<Counters extends Readonly<Record<string, number>>>(
  before: Counters,
  after: Counters,
): Counters {
  const grown = Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)])
  return Object.fromEntries(grown) as Counters
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGKILL')
  await ended
}

/** A group that a process just left is busy for a moment. */
async function removeGroup(folder: string, tries = 100): Promise<void> {
  try {
    rmdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return
    if (code !== 'EBUSY' || tries === 0) throw error
    await sleep(10)
    await removeGroup(folder, tries - 1)
  }
}
