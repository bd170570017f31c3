/** `mbcas dashboard`: joins the dashboard with a real cluster, its agents and the signals. */
import { openNodeViews } from '../../adapters/agent/node-views.ts'
import { createKube } from '../../adapters/kube/client.ts'
import { loadConfig } from '../../adapters/kube/load-config.ts'
import { ownVersion } from '../../adapters/own-version.ts'
import { systemClock as clock } from '../../adapters/system-clock.ts'
import { readFileText } from '../../adapters/text-file.ts'
import { nodes } from '../../apis/node.ts'
import { InvalidInput } from '../../core/errors.ts'
import type { LogLevel } from '../../ports/log.ts'
import type { Access } from '../../runtime/http-access.ts'
import { isLoopback } from '../../runtime/http-security.ts'
import { jsonLog } from '../../runtime/json-log.ts'
import { parseListen } from '../../runtime/listen.ts'
import { asInput } from '../../runtime/service.ts'
import { prepareShutdown } from '../../runtime/shutdown.ts'
import { startDashboard } from './dashboard.ts'

export type DashboardFlags = {
  readonly kubeconfig?: string
  readonly context?: string
  readonly listen: string
  /** Whoever looks must know what stands in it. */
  readonly tokenFile?: string
  /** Set by a proxy that knows its users. */
  readonly trustProxyHeader?: string
  /** Anybody may look who reaches the address. */
  readonly open?: boolean
  readonly logLevel: LogLevel
}

const GRACE_MILLIS = 10_000
/** Nobody guesses 16 letters and digits of chance. */
const SHORTEST_TOKEN = 16

/** Runs until a signal ends it; the exit code. */
export async function runDashboard(flags: DashboardFlags): Promise<number> {
  const { host, port } = parseListen(flags.listen)
  const access = accessOf(flags, host)
  const config = await loadConfig({ kubeconfig: flags.kubeconfig, context: flags.context })
  const write = (line: string): void => void process.stderr.write(line)
  const log = jsonLog({ write, clock, level: flags.logLevel })
  const kube = createKube(config, { clock })
  const nodeViews = openNodeViews()
  const shutdown = prepareShutdown({ clock, log, grace: GRACE_MILLIS, process })
  shutdown.onStop('api', kube.close)
  shutdown.onStop('agents', nodeViews.close)
  const about = { cluster: config.cluster, version: ownVersion() }
  const { signal } = shutdown
  try {
    await kube.list(nodes, { limit: 1 }, { signal }) // refuses what could never be shown
    const dashboard = await startDashboard(
      { kube, nodeViews, clock, pace: clock, random: Math.random, log },
      { host, port, access, about: () => about },
      signal,
    ).catch((error: unknown) => {
      throw new InvalidInput(`--listen: ${(error as Error).message}`, { cause: error })
    })
    shutdown.onStop('dashboard', dashboard.close)
    process.stdout.write(`${dashboard.url}\n`)
    log('info', 'serving', { url: dashboard.url, cluster: config.cluster })
  } catch (error) {
    if (!signal.aborted) {
      shutdown.begin('the dashboard could not start', 2)
      await shutdown.finished
      throw asInput(error)
    }
  }
  return shutdown.finished
}

function accessOf({ tokenFile, trustProxyHeader, open }: DashboardFlags, host: string): Access {
  if (tokenFile !== undefined && trustProxyHeader !== undefined) {
    throw new InvalidInput('expected --token-file or --trust-proxy-header, got both')
  }
  if (tokenFile !== undefined) return { by: 'token', token: readToken(tokenFile) }
  if (trustProxyHeader !== undefined) {
    if (/^[\w-]+$/.test(trustProxyHeader)) return { by: 'proxy', header: trustProxyHeader }
    throw new InvalidInput(
      `--trust-proxy-header: expected the name of a header, got ${JSON.stringify(trustProxyHeader)}`,
    )
  }
  if (open === true || isLoopback(host)) return { by: 'anybody' }
  throw new InvalidInput(
    `--listen: ${host} can be reached from elsewhere, and nobody is asked who they are; ` +
      'give --token-file or --trust-proxy-header, or say --open',
  )
}

function readToken(file: string): string {
  const token = readFileText(file).trim()
  if (token.length >= SHORTEST_TOKEN) return token
  throw new InvalidInput(
    `--token-file: expected ${SHORTEST_TOKEN} characters or more in ${file}, got ${token.length}; ` +
      `such as by: openssl rand -hex 16 > ${file}`,
  )
}
