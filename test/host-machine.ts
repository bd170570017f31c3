/** A simulated machine with plain groups, and a host agent on it. */
import assert from 'node:assert/strict'

import { readHostConfig } from '../src/apis/agent-config.ts'
import { parseLoad } from '../src/apis/load.ts'
import { createHostAgent } from '../src/apps/agent/host/agent.ts'
import { openJournal } from '../src/apps/agent/host/journal.ts'
import { hostMetrics } from '../src/apps/agent/host/metrics.ts'
import type { Machine } from '../src/apps/agent/host/previous-state.ts'
import { rulesOf } from '../src/apps/agent/host/rules.ts'
import { seededRandom } from '../src/core/random.ts'
import { millis } from '../src/core/units.ts'
import type { Cpusets } from '../src/ports/cpuset.ts'
import type { KeptDocument } from '../src/ports/kept-document.ts'
import type { Log } from '../src/ports/log.ts'
import { registry } from '../src/runtime/metrics.ts'
import { keepInMemory } from '../src/sim/kept-in-memory.ts'
import { readSimulatedCgroups } from '../src/sim/kernel/cgroup-reader.ts'
import { writeSimulatedCgroups } from '../src/sim/kernel/cgroup-writer.ts'
import { createNodeKernel } from '../src/sim/kernel/node-kernel.ts'
import { machine as machineOf } from './cpu/machines.ts'
import { simulateCpusets } from './simulated-cpusets.ts'

export type Told = { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }

const PERIOD_MICROS = 100_000

export function simulateMachine(cpus: number) {
  let nowMillis = 0
  const agenda = { now: () => nowMillis, at: () => () => {} }
  const kernel = createNodeKernel({ agenda, cpus, random: seededRandom(1) })
  const writer = writeSimulatedCgroups(kernel)
  const set = (path: string, milli: number | null): void => {
    const before = kernel.settings(path)
    if (before === undefined) throw new Error(`setting ${path}: there is no such group`)
    const quotaMicros = milli === null ? null : (milli * before.periodMicros) / 1000
    kernel.set(path, { ...before, quotaMicros, burstMicros: 0 })
  }
  return {
    cpus,
    topology: () => machineOf({ sockets: 1, nodes: 1, cores: cpus, threads: 1 }),
    cpusets: simulateCpusets(cpus),
    kernel,
    writer,
    cgroups: readSimulatedCgroups(kernel),
    clock: { now: () => millis(nowMillis) },
    /** Without a limit, unless one is given. */
    add: (path: string, load: string, milli: number | null = null): void => {
      const cpu = { shares: 1024, quotaMicros: null, periodMicros: PERIOD_MICROS, burstMicros: 0 }
      kernel.add({ id: path, podUid: path, cpu, load: parseLoad(load) })
      set(path, milli)
    },
    remove: (path: string): void => kernel.remove(path),
    /** As a person would. */
    set,
    weigh: (path: string, shares: number): void => {
      const before = kernel.settings(path)
      if (before !== undefined) kernel.set(path, { ...before, shares })
    },
    settings: (path: string) => writer.settings({ path }),
    /** In millicores; null without a limit. */
    quota: (path: string): number | null => {
      const { quotaMicros = null, periodMicros = 1 } = writer.settings({ path }) ?? {}
      return quotaMicros === null ? null : (quotaMicros * 1000) / periodMicros
    },
    pass: (duration: number): void => void (nowMillis += duration),
  }
}

export type SimulatedMachine = ReturnType<typeof simulateMachine>

/** Where a host agent can run, in a time of its own. */
export type AnyMachine = Pick<
  SimulatedMachine,
  'cpus' | 'topology' | 'writer' | 'cgroups' | 'clock' | 'pass'
> & { readonly cpusets: Cpusets }

export const thisBoot: Machine = {
  bootId: 'boot-1',
  self: { pid: 10, startTicks: 500 },
  startTicksOf: (pid) => (pid === 10 ? 500 : undefined),
}

export type HostOptions = {
  readonly keeper?: KeptDocument
  readonly machine?: Machine
}

export function startHost(
  on: AnyMachine,
  document: object,
  { keeper = keepInMemory(), machine = thisBoot }: HostOptions = {},
) {
  const config = readHostConfig(document, 'host.yaml')
  const rules = rulesOf(config, on, 'host.yaml')
  const told: Told[] = []
  const log: Log = (_level, message, fields = {}) => void told.push({ message, fields })
  const { writer, cpusets } = on
  const journal = openJournal({ keeper, machine, writer, cpusets, log })
  const shown = registry()
  const metrics = hostMetrics(shown, rules.capacity)
  const agent = createHostAgent({ rules, ...on, journal, log, metrics })
  return {
    journal,
    told,
    metrics: (): string => shown.render(),
    /** Turn after turn; `each` is called after every one. */
    run: (seconds: number, each: () => void = () => {}): void => {
      for (let i = 0; i < (seconds * 1000) / config.samplingMillis; i += 1) {
        on.pass(config.samplingMillis)
        agent.turn()
        each()
      }
    },
  }
}

/** A configuration in which a floor is 100m unless said. */
export const config = (groups: readonly object[], keys: object = {}) => ({
  reserve: '100m',
  ...keys,
  groups: groups.map((group) => ({ floor: '100m', ...group })),
})

export const saidOf = (host: ReturnType<typeof startHost>, message: string) =>
  host.told.filter((one) => one.message === message).map(({ fields }) => fields)

export const within = (value: number | null, [least, most]: readonly [number, number]): void =>
  assert.ok(value !== null && value >= least && value <= most, `${value} of ${least} to ${most}`)
