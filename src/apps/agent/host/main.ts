/** `mbcas agent --host`: joins the host agent with the kernel, its state file and the signals. */
import { openCpusets } from '../../../adapters/cgroup/cpusets.ts'
import { openCgroups } from '../../../adapters/cgroup/reader.ts'
import { openCgroupWriter } from '../../../adapters/cgroup/writer.ts'
import { parseDocument } from '../../../adapters/document.ts'
import { keepInFile } from '../../../adapters/kept-file.ts'
import { bootId, onlineCpus, startTicksOf } from '../../../adapters/machine.ts'
import { readMachine } from '../../../adapters/sys/machine.ts'
import { systemClock as clock } from '../../../adapters/system-clock.ts'
import { readFileText } from '../../../adapters/text-file.ts'
import { readHostConfig } from '../../../apis/agent-config.ts'
import type { LogLevel } from '../../../ports/log.ts'
import { every, feelPulse } from '../../../runtime/every.ts'
import { jsonLog } from '../../../runtime/json-log.ts'
import { registry } from '../../../runtime/metrics.ts'
import { runService } from '../../../runtime/service.ts'
import { createHostAgent } from './agent.ts'
import { openJournal } from './journal.ts'
import { hostMetrics } from './metrics.ts'
import { rulesOf } from './rules.ts'

export type HostFlags = {
  readonly config: string
  readonly state?: string
  /** Where cgroups are mounted. */
  readonly cgroupMount: string
  /** Where the kernel tells of the machine. */
  readonly sys: string
  readonly listen: string
  readonly logLevel: LogLevel
}

const STATE_FILE = '/run/mbcas/host-state.json'

/** Runs until SIGTERM or SIGINT; the exit code. */
export async function runHostAgent(flags: HostFlags): Promise<number> {
  const config = readHostConfig(
    parseDocument(readFileText(flags.config), flags.config),
    flags.config,
  )
  const rules = rulesOf(
    config,
    { cpus: onlineCpus(), topology: () => readMachine(flags.sys).topology },
    flags.config,
  )
  const log = jsonLog({
    write: (line) => void process.stderr.write(line),
    clock,
    level: flags.logLevel,
  })
  const cgroups = openCgroups({ mount: flags.cgroupMount })
  const cpusets = openCpusets(flags.cgroupMount)
  const writer = openCgroupWriter({ mount: flags.cgroupMount, onWrite: cgroups.stale })
  const self = { pid: process.pid, startTicks: startTicksOf(process.pid) ?? 0 }
  return runService({
    name: 'host agent',
    listen: flags.listen,
    clock,
    log,
    start: async (shutdown) => {
      shutdown.onStop('kernel', cgroups.close)
      const keeper = keepInFile(flags.state ?? STATE_FILE)
      const machine = { bootId: bootId(), self, startTicksOf }
      const journal = openJournal({ keeper, machine, writer, cpusets, log })
      shutdown.onStop('restore', () => {
        if (!journal.restore()) throw new Error(`see above; the values are in ${keeper.where}`)
      })
      const metrics = registry()
      const kernel = { cgroups, writer, cpusets, journal }
      const shown = hostMetrics(metrics, rules.capacity)
      const agent = createHostAgent({ rules, ...kernel, clock, log, metrics: shown })
      const rhythm = { clock, log, signal: shutdown.signal, interval: config.samplingMillis }
      const turns = feelPulse(rhythm, 'turn')
      const stopped = every({ ...rhythm, doing: 'managing the groups' }, () => {
        agent.turn()
        turns.beat()
      })
      shutdown.onStop('rhythm', async () => stopped)
      const { capacity } = rules
      log('info', 'host agent started', {
        capacity,
        groups: rules.groups.length,
        where: cgroups.where,
      })
      return { live: { rhythm: turns.verdict }, ready: { rhythm: turns.verdict }, metrics }
    },
  })
}
