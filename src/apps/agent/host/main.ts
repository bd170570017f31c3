/** `mbcas agent --host`: joins the host agent with the kernel, its state file and the signals. */
import { openCpusets } from '../../../adapters/cgroup/cpusets.ts'
import { openCgroups } from '../../../adapters/cgroup/reader.ts'
import { openCgroupWriter } from '../../../adapters/cgroup/writer.ts'
import { inAgents, parseDocument } from '../../../adapters/document.ts'
import { isKept, keepInFile } from '../../../adapters/kept-file.ts'
import { bootId, onlineCpus, startTicksOf } from '../../../adapters/machine.ts'
import { readMachine } from '../../../adapters/sys/machine.ts'
import { systemClock as clock } from '../../../adapters/system-clock.ts'
import { forAgents, readFileText } from '../../../adapters/text-file.ts'
import { type HostConfig, readHostConfig } from '../../../apis/agent-config.ts'
import { InvalidInput } from '../../../core/errors.ts'
import type { KeptDocument } from '../../../ports/kept-document.ts'
import type { Log, LogLevel } from '../../../ports/log.ts'
import { every, feelPulse } from '../../../runtime/every.ts'
import type { Verdict } from '../../../runtime/http-server-probes.ts'
import { jsonLog } from '../../../runtime/json-log.ts'
import { registry } from '../../../runtime/metrics.ts'
import { runService } from '../../../runtime/service.ts'
import { createHostAgent } from './agent.ts'
import { beforeStart, type JournalNeeds, openJournal, restoreLeftBehind } from './journal.ts'
import { hostMetrics } from './metrics.ts'
import { restoreInWords } from './restore.ts'
import { rulesOf } from './rules.ts'

export type HostFlags = {
  /** Needed unless `restore`. */
  readonly config?: string
  /** Only undoes what an agent left behind. */
  readonly restore: boolean
  readonly state?: string
  /** Where cgroups are mounted. */
  readonly cgroupMount: string
  /** Where the kernel tells of the machine. */
  readonly sys: string
  readonly listen: string
  readonly logLevel: LogLevel
}

const STATE_FILE = '/run/mbcas/host-state.json'

/** Runs until a signal ends it; the exit code. */
export async function runHostAgent(flags: HostFlags): Promise<number> {
  const keeper = keepInFile(flags.state ?? STATE_FILE)
  /** What is there may be unreadable, which is told when it is opened. */
  const isLeftBehind = isKept(keeper.where)
  if (flags.restore) {
    const print = (line: string): void => void process.stdout.write(line)
    const restore = (log: Log): void => restoreLeftBehind(journalNeeds(flags, keeper, log))
    return restoreInWords({ where: keeper.where, isLeftBehind, restore, print })
  }
  const log = jsonLog({
    write: (line) => void process.stderr.write(line),
    clock,
    level: flags.logLevel,
  })
  // Before anything that may be refused: whoever is left low does not wait for a configuration.
  if (isLeftBehind) restoreLeftBehind(journalNeeds(flags, keeper, log), beforeStart)
  const { config, name } = configOf(flags)
  const topology = () => readMachine(flags.sys).topology
  const rules = rulesOf(config, { cpus: onlineCpus(), topology }, name)
  const cgroups = openCgroups({ mount: flags.cgroupMount })
  const cpusets = openCpusets(flags.cgroupMount)
  const writer = openCgroupWriter({ mount: flags.cgroupMount, onWrite: cgroups.stale })
  return runService({
    name: 'host agent',
    listen: flags.listen,
    worksUnserved: true,
    clock,
    log,
    start: async (shutdown) => {
      shutdown.onStop('kernel', cgroups.close)
      const journal = openJournal({ keeper, machine: thisMachine(), writer, cpusets, log })
      // Whatever ends the process, if it ends in JavaScript: a bug of ours, a second signal.
      process.once('exit', () => journal.restore())
      const metrics = registry()
      const kernel = { cgroups, writer, cpusets, journal }
      const shown = hostMetrics(metrics, rules.capacity)
      const agent = createHostAgent({ rules, ...kernel, clock, log, metrics: shown })
      const rhythm = { clock, log, signal: shutdown.signal, interval: config.samplingMillis }
      const turns = feelPulse(rhythm, 'turn')
      const stopped = every({ ...rhythm, doing: 'managing the groups' }, () => {
        journal.keepAgain()
        agent.turn()
        turns.beat()
      })
      // At once, not after those who still read metrics.
      const restored = stopped.then(() => journal.restore())
      restored.catch(() => undefined) // told by the stop below
      shutdown.onStop('restore', async () => {
        if (!(await restored)) throw new Error(`see above; the values are in ${keeper.where}`)
      })
      const { capacity } = rules
      log('info', 'host agent started', {
        capacity,
        groups: rules.groups.length,
        where: cgroups.where,
      })
      const { verdict: rhythmic } = turns
      const ready = { rhythm: rhythmic, state: () => stateVerdict(journal.notKept()) }
      return { live: { rhythm: rhythmic }, ready, metrics }
    },
  })
}

function configOf({ config: name }: HostFlags): { config: HostConfig; name: string } {
  if (name === undefined)
    throw new InvalidInput(
      '--host: expected --config FILE with it, such as examples/host.yaml, or --restore',
    )
  return {
    config: readHostConfig(parseDocument(readFileText(name, forAgents), name, inAgents), name),
    name,
  }
}

/** What cannot be kept could not be undone: nothing is written until it can. */
const stateVerdict = (notKept: string | undefined): Verdict =>
  notKept === undefined
    ? { ok: true }
    : { ok: false, reason: `nothing is written to groups: ${notKept}` }

const thisMachine = () => ({
  bootId: bootId(),
  self: { pid: process.pid, startTicks: startTicksOf(process.pid) ?? 0 },
  startTicksOf,
})

function journalNeeds(
  { cgroupMount: mount }: HostFlags,
  keeper: KeptDocument,
  log: Log,
): JournalNeeds {
  const [writer, cpusets] = [openCgroupWriter({ mount }), openCpusets(mount)]
  return { keeper, machine: thisMachine(), writer, cpusets, log }
}
