/** `mbcas cluster`: an embedded Kubernetes cluster until SIGTERM or Ctrl-C, or until a scenario is over. */
import { closeSync, writeSync } from 'node:fs'

import {
  type Access,
  checkKubeconfig,
  temporaryKubeconfig,
  writeKubeconfig,
} from '../../adapters/kube/embedded-kubeconfig.ts'
import { openReplacing } from '../../adapters/replace-file.ts'
import { openScenario } from '../../adapters/scenario.ts'
import { systemClock } from '../../adapters/system-clock.ts'
import type { ScenarioFile } from '../../apis/scenario-file.ts'
import { parseDuration } from '../../core/duration.ts'
import { InvalidInput } from '../../core/errors.ts'
import { visible } from '../../core/visible.ts'
import { prepareShutdown, type Shutdown } from '../../runtime/shutdown.ts'
import { awaitNodes } from '../../sim/await-nodes.ts'
import type { Speed } from '../../sim/create-agenda.ts'
import { playScenario, scenarioStart } from '../../sim/scenario.ts'
import { serveCluster } from '../../sim/serve-cluster.ts'

export type ClusterFlags = {
  readonly nodes: number
  readonly cpus: number
  readonly port: number
  readonly kubeconfig?: string
  readonly speed: Speed
  readonly seed?: number
  /** A file, or the name of an example. */
  readonly scenario?: string
  readonly duration?: string
  readonly events?: string
}

/** The longest that a run may be told to last. */
export const YEAR_MILLIS = 366 * 86_400_000
/** Real milliseconds: nodes take a simulated second, which can be long when time goes slowly. */
const longestStart = 5000

/** The exit code. */
export async function runCluster(flags: ClusterFlags): Promise<number> {
  const { scenario } = flags.scenario === undefined ? {} : await openScenario(flags.scenario)
  const until = durationOf(flags, scenario)
  if (flags.kubeconfig !== undefined) checkKubeconfig(flags.kubeconfig)
  const shutdown = prepareShutdown({ clock: systemClock, log: () => {}, grace: 5000, process })
  try {
    await serve(flags, { scenario, until, shutdown })
  } catch (error) {
    shutdown.begin('it could not start', 2)
    await shutdown.finished
    throw error
  }
  return shutdown.finished
}

type Setting = {
  readonly scenario: ScenarioFile | undefined
  readonly until: number | undefined
  readonly shutdown: Shutdown
}

async function serve(flags: ClusterFlags, { scenario, until, shutdown }: Setting): Promise<void> {
  const { nodes: count, cpus, port, speed } = flags
  const seed = flags.seed ?? scenario?.seed ?? 1
  const { cluster, access, close } = await serveCluster(
    {
      nodes: scenario?.nodes ?? [
        { name: 'node', count, cpus, memory: '16Gi', pods: 110, labels: {}, extended: {} },
      ],
      seed,
      speed,
      // Runs that are repeated begin at the same moment; else it is now, so that ages look right.
      startsAt: speed === 'max' ? scenarioStart : Date.now(),
      ...(flags.events !== undefined && { logEvent: openEvents(flags.events, shutdown) }),
    },
    port,
  ).catch((error: unknown) => {
    if (error instanceof InvalidInput) throw error
    throw new InvalidInput(`--port: ${(error as Error).message}`, { cause: error })
  })
  shutdown.onStop('server', close)
  let failure: Error | undefined
  const onFault = (error: Error): void => {
    failure ??= error
    shutdown.begin('the scenario failed', 2)
  }
  if (scenario !== undefined) playScenario(cluster, { ...scenario, seed }, { onFault })

  const kubeconfig = openToKubectl(access, { file: flags.kubeconfig, shutdown })
  const began = performance.now()
  const { signal } = shutdown
  const run = cluster.agenda.run({ ...(until !== undefined && { until }), signal })
  await Promise.race([awaitNodes(cluster), run, systemClock.sleep(longestStart, signal)])
  if (!signal.aborted) {
    console.log(`ready: ${access.url}`)
    console.log(`export KUBECONFIG=${visible(kubeconfig)}`)
  }
  await run
  if (failure !== undefined) throw failure
  if (!signal.aborted) {
    const seconds = (performance.now() - began) / 1000
    console.log(
      `done: ${cluster.agenda.now() / 1000} simulated seconds in ${seconds.toFixed(1)} s, ` +
        `${cluster.api.version()} versions`,
    )
    shutdown.begin('it is over', 0)
  }
}

/** Undefined is until somebody ends it. */
function durationOf({ duration }: ClusterFlags, scenario: ScenarioFile | undefined) {
  if (duration === undefined) return scenario?.duration
  return parseDuration(duration, { flag: '--duration', min: 1, max: YEAR_MILLIS })
}

/** Where the kubeconfig is; one that nobody asked for is gone when the cluster is. */
export function openToKubectl(
  access: Access,
  { file, shutdown }: { readonly file: string | undefined; readonly shutdown: Shutdown },
): string {
  const own = file === undefined ? temporaryKubeconfig() : undefined
  if (own !== undefined) shutdown.onStop('kubeconfig', own.remove)
  const path = own?.path ?? file ?? ''
  writeKubeconfig(path, access)
  return path
}

function openEvents(path: string, { onStop }: Shutdown): (line: string) => void {
  const file = openForWriting(path)
  let lines = ''
  const flush = () => {
    writeSync(file, lines)
    lines = ''
  }
  onStop('events', () => {
    flush()
    closeSync(file)
  })
  return (line) => {
    lines += line
    if (lines.length > 65_536) flush()
  }
}

/** What a file system refuses is for whoever gave the flag. */
function openForWriting(path: string): number {
  try {
    return openReplacing(path, 0o644)
  } catch (error) {
    throw new InvalidInput(`--events ${path}: ${(error as Error).message}`, { cause: error })
  }
}
