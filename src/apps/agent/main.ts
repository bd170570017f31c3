/** `mbcas agent`: joins the agent of one node with the kernel, the API and the signals. */
import { openCgroups } from '../../adapters/cgroup/reader.ts'
import { createKube } from '../../adapters/kube/client.ts'
import { loadConfig } from '../../adapters/kube/load-config.ts'
import { systemClock as clock } from '../../adapters/system-clock.ts'
import { parseDuration } from '../../core/duration.ts'
import type { LogLevel } from '../../ports/log.ts'
import { jsonLog } from '../../runtime/json-log.ts'
import { registry } from '../../runtime/metrics.ts'
import { runService } from '../../runtime/service.ts'
import { startAgent } from './run.ts'

export type AgentFlags = {
  readonly node: string
  readonly kubeconfig?: string
  /** The kubelet's `cgroupRoot`. */
  readonly cgroupRoot: string
  /** Where cgroups are mounted. */
  readonly cgroupMount: string
  readonly samplingInterval: string
  readonly interval: string
  readonly listen: string
  readonly logLevel: LogLevel
}

/** Runs until SIGTERM or SIGINT; the exit code. */
export async function runAgent(flags: AgentFlags): Promise<number> {
  const sampling = parseDuration(flags.samplingInterval, {
    flag: '--sampling-interval',
    min: 100,
    max: 10_000,
  })
  const clearing = parseDuration(flags.interval, { flag: '--interval', min: 1000, max: 600_000 })
  const write = (line: string): void => void process.stderr.write(line)
  const log = jsonLog({ write, clock, level: flags.logLevel })
  const cgroups = openCgroups({ mount: flags.cgroupMount, kubeletRoot: flags.cgroupRoot })
  const kube = createKube(await loadConfig({ kubeconfig: flags.kubeconfig }), { clock })
  return runService({
    name: 'agent',
    listen: flags.listen,
    clock,
    log,
    start: async (shutdown) => {
      shutdown.onStop('kernel', cgroups.close)
      shutdown.onStop('api', kube.close)
      const metrics = registry()
      const ports = { kube, cgroups, clock, random: Math.random, log, registry: metrics }
      const options = { nodeName: flags.node, sampling, clearing }
      const agent = await startAgent(ports, options, shutdown.signal)
      shutdown.onStop('agent', async () => agent.stopped)
      return { live: { rhythm: agent.live }, ready: { agent: agent.ready }, metrics }
    },
  })
}
