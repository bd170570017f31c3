/** `mbcas demo`: a cluster, the platform on it, a scenario and a page to watch them, in one process. */
import { spawn } from 'node:child_process'

import { checkKubeconfig } from '../../adapters/kube/embedded-kubeconfig.ts'
import { ownVersion } from '../../adapters/own-version.ts'
import { type OpenedScenario, openScenario } from '../../adapters/scenario.ts'
import { systemClock } from '../../adapters/system-clock.ts'
import type { About, ComparisonView } from '../../apis/dashboard.ts'
import { parseDuration } from '../../core/duration.ts'
import { InvalidInput } from '../../core/errors.ts'
import { seededRandom } from '../../core/random.ts'
import { prepareShutdown, type Shutdown } from '../../runtime/shutdown.ts'
import type { SimCluster } from '../../sim/cluster.ts'
import type { Speed } from '../../sim/create-agenda.ts'
import { playScenario, scenarioStart, usualNodes } from '../../sim/scenario.ts'
import { serveCluster } from '../../sim/serve-cluster.ts'
import { openToKubectl, YEAR_MILLIS } from '../cluster/main.ts'
import { type RunningDashboard, startDashboard } from '../dashboard/dashboard.ts'
import { kubeOn, type Platform, startPlatform } from '../platform/main.ts'
import { compareScenario } from '../simulate/in-threads/main.ts'
import { greeting } from './greeting.ts'
import { phasesAt } from './phases.ts'

export type DemoFlags = {
  /** A file, or the name of an example. */
  readonly scenario: string
  readonly speed: Speed
  readonly seed?: number
  /** Of the page; 0 takes a free one. */
  readonly port: number
  readonly browser: boolean
  /** Simulated time after which it ends. */
  readonly duration?: string
  readonly kubeconfig?: string
}

const HOST = '127.0.0.1'
const GRACE_MILLIS = 5000
/** The comparison takes what the page and the cluster leave. */
const LOWEST_PRIORITY = 19

/** Runs until SIGTERM, Ctrl-C or the end of its duration; the exit code. */
export async function runDemo(flags: DemoFlags): Promise<number> {
  const opened = await openScenario(flags.scenario)
  if (flags.kubeconfig !== undefined) checkKubeconfig(flags.kubeconfig)
  const until = untilOf(flags)
  const shutdown = prepareShutdown({
    clock: systemClock,
    log: () => {},
    grace: GRACE_MILLIS,
    process,
  })
  let failure: Error | undefined
  const fail = (error: unknown): void => {
    failure ??= error as Error
    shutdown.begin('it failed', 2)
  }
  start({ flags, opened, until }, { shutdown, fail }).catch(fail)
  const code = await shutdown.finished
  if (failure !== undefined) throw failure
  return code
}

type Given = {
  readonly flags: DemoFlags
  readonly opened: OpenedScenario
  readonly until: number | undefined
}

type Ending = { readonly shutdown: Shutdown; readonly fail: (error: unknown) => void }

async function start(given: Given, { shutdown, fail }: Ending): Promise<void> {
  const { flags, opened, until } = given
  const { scenario } = opened
  const seed = flags.seed ?? scenario.seed
  const startsAt = flags.speed === 'max' ? scenarioStart : Date.now()
  const { cluster, access, close } = await serveCluster(
    { nodes: scenario.nodes ?? usualNodes, seed, speed: flags.speed, startsAt },
    0,
  )
  // Stopped last of all: whatever starts or stops may need time to go on.
  const timeEnds = new AbortController()
  shutdown.onStop('time', () => timeEnds.abort())
  shutdown.onStop('server', close)
  const kubeconfig = openToKubectl(access, { file: flags.kubeconfig, shutdown })
  playScenario(cluster, { ...scenario, seed }, { onFault: fail, repeats: true })
  cluster.agenda.run({ signal: timeEnds.signal }).catch(fail)
  if (until !== undefined) cluster.agenda.at(until, () => shutdown.begin('it is over', 0))

  const starting = startPlatform(cluster, { seed })
  shutdown.onStop('platform', async () => (await starting).stop())
  const platform = await starting
  if (shutdown.signal.aborted) return
  const comparison = compareInBackground({ ...opened, seed }, shutdown.signal)
  const about = (): Omit<About, 'everyMillis'> => ({
    cluster: 'the embedded cluster',
    version: ownVersion(),
    scenario: {
      name: opened.name,
      about: scenario.about,
      speed: flags.speed,
      phases: phasesAt(scenario, { startsAt, now: cluster.agenda.now() }),
    },
  })
  const page = await servePage({ flags, cluster, platform, about, comparison, shutdown })
  if (shutdown.signal.aborted) return
  console.log(greeting({ ...opened, speed: flags.speed, url: page.url, kubeconfig }))
  if (flags.browser) openBrowser(page.url)
}

type Page = {
  readonly flags: DemoFlags
  readonly cluster: SimCluster
  readonly platform: Platform
  readonly about: () => Omit<About, 'everyMillis'>
  readonly comparison: () => ComparisonView | undefined
  readonly shutdown: Shutdown
}

async function servePage(page: Page): Promise<RunningDashboard> {
  const { flags, cluster, platform, about, comparison, shutdown } = page
  const random = seededRandom(0)
  const starting = startDashboard(
    {
      kube: kubeOn(cluster, { userAgent: 'mbcas-dashboard', random }),
      nodeViews: { read: async ({ name }) => platform.readNode(name), close() {} },
      clock: cluster.agenda.clock,
      pace: systemClock,
      random,
      log: () => {}, // what goes wrong is on the page, and much of it is planted
    },
    { host: HOST, port: flags.port, about, comparison, everyMillis: everyMillisOf(flags.speed) },
    shutdown.signal,
  )
  shutdown.onStop('page', async (signal) => (await starting).close(signal))
  return starting.catch((error: unknown) => {
    throw new InvalidInput(`--port: ${(error as Error).message}`, { cause: error })
  })
}

/** A sample a second of those who watch; as fast as it can, simulated minutes pass in a second. */
const everyMillisOf = (speed: Speed): number =>
  speed === 'max' ? 60_000 : Math.max(1, speed) * 1000

/** What is known of it so far; undefined where there is nothing to compare. */
function compareInBackground(
  { scenario, name, seed }: OpenedScenario & { readonly seed: number },
  signal: AbortSignal,
): () => ComparisonView | undefined {
  const { duration, compare: arms, workloads } = scenario
  if (duration === undefined || workloads.length === 0) return () => undefined
  let view: ComparisonView = { scenario: name, progress: 0, arms: [], verdicts: [] }
  const onProgress = (next: ComparisonView): void => {
    view = next
  }
  const shared = { onProgress, niceness: LOWEST_PRIORITY, parallel: 1, signal }
  compareScenario({ scenario, name, arms, seed, duration, ...shared }).then(
    onProgress,
    (error: unknown) => {
      if (signal.aborted) return
      const verdicts = [`The comparison failed: ${(error as Error).message}`]
      view = { scenario: name, arms: [], verdicts }
    },
  )
  return () => view
}

const untilOf = ({ duration }: DemoFlags): number | undefined =>
  duration === undefined
    ? undefined
    : parseDuration(duration, { flag: '--duration', min: 1, max: YEAR_MILLIS })

/** Only where somebody sits before a screen; that it cannot be opened is no harm. */
function openBrowser(url: string): void {
  const { platform, env, stdout } = process
  const hasScreen = platform !== 'linux' || Boolean(env['DISPLAY'] ?? env['WAYLAND_DISPLAY'])
  if (!stdout.isTTY || !hasScreen) return
  const [command, ...args] =
    platform === 'darwin' ? ['open'] : platform === 'win32' ? ['cmd', '/c', 'start'] : ['xdg-open']
  spawn(command ?? '', [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
