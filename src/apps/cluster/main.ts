/** `mbcas cluster`: an embedded Kubernetes cluster until SIGTERM or Ctrl-C, or until a scenario is over. */
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { parseDocument } from '../../adapters/document.ts'
import { systemClock } from '../../adapters/system-clock.ts'
import { readText } from '../../adapters/text-file.ts'
import { parseAs } from '../../apis/parse.ts'
import { type ScenarioFile, scenarioFile } from '../../apis/scenario-file.ts'
import { parseDuration } from '../../core/duration.ts'
import { InvalidInput } from '../../core/errors.ts'
import { prepareShutdown, type Shutdown } from '../../runtime/shutdown.ts'
import { listen } from '../../sim/apiserver/serve/https.ts'
import { makeCertificate } from '../../sim/certificate.ts'
import { createCluster, type SimCluster } from '../../sim/cluster.ts'
import type { Speed } from '../../sim/create-agenda.ts'
import { nodes } from '../../sim/resources.ts'
import { playScenario } from '../../sim/scenario.ts'
import { type Access, isOurs, kubeconfigOf } from './kubeconfig.ts'

export type ClusterFlags = {
  readonly nodes: number
  readonly cpus: number
  readonly port: number
  readonly kubeconfig?: string
  readonly speed: Speed
  readonly seed?: number
  readonly scenario?: string
  readonly duration?: string
  readonly events?: string
}

const day = 86_400_000
/** Real milliseconds: nodes take a simulated second, which can be long when time goes slowly. */
const longestStart = 5000
/** Scenarios that are repeated begin at the same moment; else it is now, so that ages look right. */
const fixedStart = Date.UTC(2026, 0, 1)

/** The exit code. */
export async function runCluster(flags: ClusterFlags): Promise<number> {
  const scenario = flags.scenario === undefined ? undefined : await readScenario(flags.scenario)
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
  const certificate = makeCertificate({ name: 'mbcas-cluster', days: 365 })
  const cluster = createCluster({
    nodes: scenario?.nodes ?? [
      { name: 'node', count, cpus, memory: '16Gi', pods: 110, labels: {}, extended: {} },
    ],
    seed: flags.seed ?? scenario?.seed ?? 1,
    speed,
    startsAt: speed === 'max' ? fixedStart : Date.now(),
    authority: certificate.cert,
    ...(flags.events !== undefined && { logEvent: openEvents(flags.events, shutdown) }),
  })
  let failure: Error | undefined
  playScenario(cluster, scenario?.steps ?? [], (error) => {
    failure ??= error
    shutdown.begin('the scenario failed', 2)
  })

  const token = randomBytes(16).toString('hex')
  const server = await listen({
    server: cluster,
    clock: cluster.agenda.clock,
    host: '127.0.0.1',
    port,
    ...certificate,
    token,
    report: (what, error) => console.error(`mbcas: this is a bug: ${what}:`, error),
  }).catch((error: unknown) => {
    throw new InvalidInput(`--port: ${(error as Error).message}`, { cause: error })
  })
  shutdown.onStop('server', server.close)
  const url = `https://127.0.0.1:${server.port}`
  const kubeconfig = flags.kubeconfig ?? ownKubeconfig(shutdown)
  writeKubeconfig(kubeconfig, { url, authority: certificate.cert, token })
  const began = performance.now()
  const { signal } = shutdown
  const run = cluster.agenda.run({ ...(until !== undefined && { until }), signal })
  await Promise.race([nodesReady(cluster), run, systemClock.sleep(longestStart, signal)])
  if (!signal.aborted) {
    console.log(`ready: ${url}`)
    console.log(`export KUBECONFIG=${kubeconfig}`)
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

/** Whoever reads `ready` may look at the nodes at once. */
async function nodesReady({ api, kernels }: SimCluster): Promise<void> {
  type Status = { readonly conditions?: readonly { type: string; status: string }[] }
  const ready = new Set<string>()
  await new Promise<void>((resolve) => {
    const stop = api.subscribe(nodes, ({ object }) => {
      const { conditions = [] } = (object.status ?? {}) as Status
      const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
      if (isReady) ready.add(object.metadata.name)
      if (ready.size < kernels.size) return
      stop()
      resolve()
    })
  })
}

/** Undefined is until somebody ends it. */
function durationOf({ duration }: ClusterFlags, scenario: ScenarioFile | undefined) {
  if (duration === undefined) return scenario?.duration
  return parseDuration(duration, { flag: '--duration', min: 1, max: 366 * day })
}

async function readScenario(path: string): Promise<ScenarioFile> {
  return parseAs(scenarioFile, parseDocument(await readText(path), path), 'scenario')
}

/** Somebody's own kubeconfig is never overwritten. */
function checkKubeconfig(path: string): void {
  const isFree = () => !existsSync(path) || isOurs(readFileSync(path, 'utf8'))
  if (trying(`--kubeconfig ${path}`, isFree)) return
  throw new InvalidInput(
    `--kubeconfig: expected a new file, or one that mbcas cluster wrote, got ${path}, which is ` +
      'neither: give another path, or move that file away',
  )
}

function writeKubeconfig(path: string, access: Access): void {
  trying(`--kubeconfig ${path}`, () => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, kubeconfigOf(access), { mode: 0o600 })
    chmodSync(path, 0o600) // a file that was there keeps its mode otherwise
  })
}

/** What a file system refuses is for whoever gave the flag. */
function trying<T>(flagAndPath: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw new InvalidInput(`${flagAndPath}: ${(error as Error).message}`, { cause: error })
  }
}

/** Gone when the cluster is. */
function ownKubeconfig({ onStop }: Shutdown): string {
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-cluster-'))
  onStop('kubeconfig', () => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'kubeconfig')
}

function openEvents(path: string, { onStop }: Shutdown): (line: string) => void {
  const file = trying(`--events ${path}`, () => openSync(path, 'w'))
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
