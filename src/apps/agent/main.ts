/** `mbcas agent`: joins the agent of one node with the kernel, the API and the signals. */
import { join } from 'node:path'

import { openCgroups } from '../../adapters/cgroup/reader.ts'
import { openCgroupWriter } from '../../adapters/cgroup/writer.ts'
import { inAgents, parseDocument } from '../../adapters/document.ts'
import { createKube } from '../../adapters/kube/client.ts'
import { loadConfig } from '../../adapters/kube/load-config.ts'
import { openNodeCpus } from '../../adapters/kubelet/node-cpus.ts'
import { openPrometheus } from '../../adapters/prometheus/prometheus.ts'
import { systemClock as clock } from '../../adapters/system-clock.ts'
import { forAgents, readFileText } from '../../adapters/text-file.ts'
import { type AgentConfig, readAgentConfig } from '../../apis/agent-config.ts'
import { parseDuration } from '../../core/duration.ts'
import type { Millis } from '../../core/units.ts'
import type { LogLevel } from '../../ports/log.ts'
import { isLoopback } from '../../runtime/http-security.ts'
import { jsonReply } from '../../runtime/http-server-answer.ts'
import { jsonLog } from '../../runtime/json-log.ts'
import { parseListen } from '../../runtime/listen.ts'
import { registry } from '../../runtime/metrics.ts'
import { runService } from '../../runtime/service.ts'
import { startAgent } from './run.ts'

export type AgentFlags = {
  readonly node: string
  readonly kubeconfig?: string
  /** A file; without it the defaults hold. */
  readonly config?: string
  /** The kubelet's `--root-dir`. */
  readonly kubeletDir: string
  /** The kubelet's `--config`; without it, `config.yaml` in its folder. */
  readonly kubeletConfig?: string
  /** Where the kernel tells of CPUs and NUMA nodes. */
  readonly sys: string
  /** The kubelet's `cgroupRoot`. */
  readonly cgroupRoot: string
  /** Where cgroups are mounted. */
  readonly cgroupMount: string
  /** Both win over the file. */
  readonly samplingInterval?: string
  readonly interval?: string
  readonly listen: string
  readonly logLevel: LogLevel
}

/** Runs until a signal ends it; the exit code. */
export async function runAgent(flags: AgentFlags): Promise<number> {
  const config = configOf(flags)
  const write = (line: string): void => void process.stderr.write(line)
  const log = jsonLog({ write, clock, level: flags.logLevel })
  const place = { mount: flags.cgroupMount, kubeletRoot: flags.cgroupRoot }
  const cgroups = openCgroups(place)
  const kube = createKube(await loadConfig({ kubeconfig: flags.kubeconfig }), {
    clock,
    maxSockets: 4,
  })
  const { prometheusUrl, query } = config.latency
  const latency =
    prometheusUrl === undefined
      ? undefined
      : openPrometheus({ url: prometheusUrl, ...(query !== undefined && { query }) }, clock)
  return runService({
    name: 'agent',
    listen: flags.listen,
    clock,
    log,
    start: async (shutdown) => {
      shutdown.onStop('kernel', cgroups.close)
      shutdown.onStop('api', kube.close)
      if (latency !== undefined) shutdown.onStop('prometheus', latency.close)
      const metrics = registry()
      const writer = openCgroupWriter({ ...place, onWrite: cgroups.stale })
      const { kubeletDir, kubeletConfig = join(kubeletDir, 'config.yaml'), sys } = flags
      const nodeCpus = openNodeCpus({ kubeletDir, kubeletConfig, sys }, log)
      const machine = { cgroups, writer, nodeCpus, clock, random: Math.random }
      let agentPort: number | undefined
      const options = { nodeName: flags.node, config, agentPort: () => agentPort }
      const agent = await startAgent(
        { ...machine, kube, latency, log, registry: metrics },
        options,
        shutdown.signal,
      )
      shutdown.onStop('agent', async () => agent.stopped)
      return {
        live: { rhythm: agent.live },
        ready: { agent: agent.ready },
        metrics,
        routes: { '/state': { GET: () => jsonReply(agent.view()) } },
        onServing: (port) => {
          if (!isLoopback(parseListen(flags.listen).host)) agentPort = port
        },
      }
    },
  })
}

function configOf({ config: file, samplingInterval, interval }: AgentFlags): AgentConfig {
  const config =
    file === undefined
      ? readAgentConfig({}, 'the defaults')
      : readAgentConfig(parseDocument(readFileText(file, forAgents), file, inAgents), file)
  return {
    ...config,
    ...(samplingInterval !== undefined && {
      samplingMillis: parseDuration(samplingInterval, {
        flag: '--sampling-interval',
        min: 100,
        max: 1000,
      }) as Millis,
    }),
    ...(interval !== undefined && {
      slowMillis: parseDuration(interval, {
        flag: '--interval',
        min: 1000,
        max: 600_000,
      }) as Millis,
    }),
  }
}
