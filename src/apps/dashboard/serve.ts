/** The dashboard over HTTP: who may look, the page, and the paths below /api/. */
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { type Access, openGate } from '../../runtime/http-access.ts'
import { type Assets, loadAssets } from '../../runtime/http-assets.ts'
import { isLoopback, pageHeaders, refuseForeignHost } from '../../runtime/http-security.ts'
import { notAllowed } from '../../runtime/http-server-answer.ts'
import { probeRoutes, type Verdict } from '../../runtime/http-server-probes.ts'
import {
  type HttpHandler,
  type HttpReply,
  type HttpRequest,
  serveHttp,
} from '../../runtime/http-server.ts'
import { registry } from '../../runtime/metrics.ts'
import { refusal } from './api.ts'

export type ServeNeeds = {
  readonly host: string
  readonly port: number
  readonly access?: Access
  readonly clock: Pick<Clock, 'wall'>
  readonly log: Log
  readonly isReady: () => boolean
  readonly api: (request: HttpRequest) => HttpReply
}

export type RunningDashboard = {
  readonly url: string
  readonly port: number
  readonly ready: () => Verdict
  /** After the abort of its signal: ends the streams, then the server; on abort it cuts them off. */
  readonly close: (signal: AbortSignal) => Promise<void>
}

/** A form with a token; nothing else is sent here. */
const MOST_BODY_BYTES = 16 * 1024
/** A proxy before it comes from one address; `live.ts` bounds what each stream may leave unread. */
const BOUNDS = { mostConnections: 512, mostWaitingBytes: 64 * 1024 * 1024 }

export async function serveDashboard(needs: ServeNeeds): Promise<RunningDashboard> {
  const { host, port, log, isReady } = needs
  const ready = (): Verdict =>
    isReady() ? { ok: true } : { ok: false, reason: 'nodes and pods are not listed yet' }
  const { '/healthz': healthz = {}, '/readyz': readyz = {} } = probeRoutes({
    live: {},
    ready: { cluster: ready },
    metrics: registry(),
  })
  const server = await serveHttp({
    host,
    port,
    log,
    routes: { '/healthz': healthz, '/readyz': readyz },
    otherwise: answering(needs, loadAssets(pageFolder)),
    headers: pageHeaders,
    mostBodyBytes: MOST_BODY_BYTES,
    bounds: BOUNDS,
  })
  return { ...server, ready }
}

/** dist/web, beside dist/src. */
const pageFolder = new URL('../../../web/', import.meta.url)

function answering(needs: ServeNeeds, assets: Assets): HttpHandler {
  const { host, clock, api, access = { by: 'anybody' } } = needs
  const gate = openGate(access, clock)
  // A page that got in by another name of ours has no cookie of ours, and cannot know the token.
  const isAtRisk = isLoopback(host) && access.by !== 'token'
  const refuseHost = isAtRisk ? refuseForeignHost : () => undefined
  return (request) => {
    const { method, path } = request
    const refused = refuseHost(request) ?? gate(request)
    if (refused !== undefined) return refused
    if (method !== 'GET' && method !== 'HEAD') return notAllowed(method, path, ['GET'])
    if (path === '/api' || path.startsWith('/api/')) return api(request)
    if (path === '/')
      return assets.find({ ...request, path: '/index.html' }) ?? refusal(404, NO_PAGE)
    return assets.find(request) ?? refusal(404, `there is no ${path} here; the page is at /`)
  }
}

const NO_PAGE = 'the page is not built: run npm run setup, and start again'
