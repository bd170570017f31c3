/** For tests: the platform on an embedded cluster, twenty times as fast as real, and a dashboard on it. */
import { setMaxListeners } from 'node:events'
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import http from 'node:http'
import { text } from 'node:stream/consumers'

import type { KubeClient } from '../../src/adapters/kube/client.ts'
import { type DashboardOptions, startDashboard } from '../../src/apps/dashboard/dashboard.ts'
import { kubeOn, startPlatform } from '../../src/apps/platform/main.ts'
import { seededRandom } from '../../src/core/random.ts'
import type { NodeViews } from '../../src/ports/node-views.ts'
import { createCluster, type SimCluster } from '../../src/sim/cluster.ts'
import { scenarioStart } from '../../src/sim/scenario.ts'
import { type EventStream, openEventStream } from './event-stream.ts'

export type Answer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly json: () => Readonly<Record<string, unknown>>
}

export type Stage = {
  readonly cluster: SimCluster
  readonly kube: KubeClient
  readonly port: number
  readonly ask: (path: string, options?: Asked) => Promise<Answer>
  readonly listen: (path: string, headers?: OutgoingHttpHeaders) => Promise<EventStream>
  /** Agents of these nodes do not answer. */
  readonly silent: Set<string>
  /** Ends the dashboard alone. */
  readonly stopDashboard: () => Promise<void>
  readonly close: () => Promise<void>
}

type Asked = {
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string
}

const SPEED = 20

export async function openStage(
  options: Partial<DashboardOptions> & { readonly nodes?: number } = {},
): Promise<Stage> {
  const { nodes = 2, ...dashboardOptions } = options
  const cluster = createCluster({
    nodes: [
      { name: 'node', count: nodes, cpus: 2, memory: '8Gi', pods: 110, labels: {}, extended: {} },
    ],
    seed: 1,
    speed: SPEED,
    startsAt: scenarioStart,
  })
  const { agenda } = cluster
  agenda.expectPromises()
  const over = new AbortController()
  const ending = new AbortController()
  setMaxListeners(0, ending.signal)
  const ran = agenda.run({ signal: over.signal })
  const kube = kubeOn(cluster, { userAgent: 'test', random: seededRandom(1) })
  const platform = await startPlatform(cluster, { seed: 1 })
  const silent = new Set<string>()
  const nodeViews: NodeViews = {
    read: async ({ name }) => {
      if (silent.has(name)) throw new Error(`asking the agent of node ${name}: silent`)
      return platform.readNode(name)
    },
    close() {},
  }
  const { clock } = agenda
  const dashboard = await startDashboard(
    { kube, nodeViews, clock, pace: clock, random: seededRandom(2), log: () => {} },
    {
      host: '127.0.0.1',
      port: 0,
      about: () => ({ cluster: 'test', version: '0' }),
      ...dashboardOptions,
    },
    ending.signal,
  )
  const stopDashboard = async (): Promise<void> => {
    ending.abort()
    await dashboard.close(AbortSignal.timeout(5000))
  }
  return {
    cluster,
    kube,
    port: dashboard.port,
    ask: async (path, asked) => askHttp(dashboard.url + path, asked),
    listen: async (path, headers) => openEventStream(dashboard.url + path, headers),
    silent,
    stopDashboard,
    close: async () => {
      await stopDashboard()
      await platform.stop()
      over.abort()
      await ran
      kube.close()
    },
  }
}

export async function askHttp(
  url: string,
  { method = 'GET', headers = {}, body = '' }: Asked = {},
): Promise<Answer> {
  const request = http.request(url, { method, headers, agent: false })
  const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', reject)
  })
  request.end(body)
  const response = await answered
  const said = await text(response)
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: said,
    json: () => JSON.parse(said) as ReturnType<Answer['json']>,
  }
}
