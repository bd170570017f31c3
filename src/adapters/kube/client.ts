/** The Kubernetes API over HTTPS: the real answer to the port `Kube`. Why our own: docs/adr. */
import type { KubeObject } from '../../apis/object.ts'
import type { Random } from '../../core/random.ts'
import type { Millis } from '../../core/units.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Kube, Page, WatchEvent } from '../../ports/kube.ts'
import { ownVersion } from '../own-version.ts'
import { systemClock } from '../system-clock.ts'
import { headerOf, type HttpRead, readJson, readParsed } from './answers.ts'
import type { KubeConfig } from './config.ts'
import type { PoolName } from './connections.ts'
import { createThrottle, defaultRateLimits, type RateLimits } from './rate-limit.ts'
import { readList, readObject, watchEvents } from './read-objects.ts'
import {
  type ApiRequest,
  createRequest,
  getRequest,
  listRequest,
  patchRequest,
  rawRequest,
  removeRequest,
  updateRequest,
  watchRequest,
} from './requests.ts'
import { defaultRetryPolicy, type RetryPolicy, withRetries } from './retries.ts'
import { createTransport, type HttpAnswer, type Transport } from './transport.ts'

export type KubeOptions = {
  readonly clock?: Clock
  readonly random?: Random
  /** For one try of a request, and for a watch to begin. */
  readonly timeoutMillis?: number
  readonly maxSockets?: number
  readonly retries?: Partial<RetryPolicy>
  readonly limits?: Partial<RateLimits>
  readonly userAgent?: string
}

export type KubeStats = {
  /** Tries, not calls. */
  readonly requests: number
  readonly retries: number
  /** Connections opened. */
  readonly connections: number
  /** How long requests waited for our own rate limits. */
  readonly throttledMillis: number
}

export type KubeClient = Kube & {
  /** Ends all that is under way and closes every connection. */
  readonly close: () => void
  readonly stats: () => KubeStats
  /** The time by the server's clock, if that is far from ours; else by ours. */
  readonly serverWall: () => Millis
}

/** The header counts whole seconds, and an answer takes some: what is nearer is no difference. */
const SAME_MILLIS = 10_000

export function createKube(config: KubeConfig, options: KubeOptions = {}): KubeClient {
  const transport = createTransport(config, {
    clock: options.clock ?? systemClock,
    userAgent: options.userAgent ?? `mbcas/${ownVersion()}`,
    timeoutMillis: options.timeoutMillis ?? 30_000,
    maxSockets: options.maxSockets ?? 16,
  })
  return createKubeOver(transport, options)
}

/** The same client over another way to the server. */
export function createKubeOver(transport: Transport, options: KubeOptions = {}): KubeClient {
  const { clock = systemClock, random = Math.random } = options
  const policy = { ...defaultRetryPolicy, ...options.retries }
  const count = { requests: 0, retries: 0, throttledMillis: 0 }
  let serverAhead = 0
  const throttle = createThrottle({ ...defaultRateLimits, ...options.limits }, clock)

  const askedOf = ({ title, resource, subresource }: ApiRequest) => ({
    request: `${title} on ${transport.server}`,
    resource,
    subresource,
  })

  const open = async (request: ApiRequest, pool: PoolName): Promise<HttpAnswer> => {
    count.throttledMillis += await throttle(request.purpose, request.signal)
    count.requests += 1
    const answer = await transport.open({ ...request, pool })
    const ahead = Date.parse(headerOf(answer.headers, 'date') ?? '') - clock.wall()
    serverAhead = Math.abs(ahead) > SAME_MILLIS ? ahead : 0 // not where there is none
    return answer
  }

  const call = async <T>(request: ApiRequest, read: HttpRead = readerOf(request)): Promise<T> => {
    const { repeatable, signal, purpose } = request
    const attempt = async () =>
      read(await open(request, purpose === 'lease' ? 'lease' : 'request'), askedOf(request))
    const onRetry = () => (count.retries += 1)
    return (await withRetries(
      { attempt, repeatable, signal },
      { policy, clock, random, onRetry },
    )) as T
  }

  async function* watch<T extends KubeObject>(request: ApiRequest): AsyncGenerator<WatchEvent<T>> {
    try {
      const answer = await open(request, 'watch')
      if (answer.status !== 200) await readJson(answer, askedOf(request))
      yield* watchEvents<T>(answer.chunks, askedOf(request).request, request.keep)
    } catch (error) {
      if (request.signal?.aborted !== true) throw error
    }
  }

  return {
    get: async (resource, at, options) => call(getRequest(resource, at, options)),
    list: async <T extends KubeObject>(
      ...[resource, query = {}, options]: Parameters<Kube['list']>
    ) =>
      call<Page<T>>(listRequest(resource, query, options), async (answer, asked) => {
        return readParsed(answer, asked, async (chunks) => readList<T>(chunks, options?.keep))
      }),
    watch: <T extends KubeObject>(...[resource, query, options]: Parameters<Kube['watch']>) =>
      watch<T>(watchRequest(resource, query, options)),
    create: async (resource, object, options) => call(createRequest(resource, object, options)),
    update: async (resource, object, options) => call(updateRequest(resource, object, options)),
    patch: async (resource, at, patch, options) =>
      call(patchRequest(resource, at, { patch, options })),
    remove: async (resource, at, options) => {
      await call(removeRequest(resource, at, options))
    },
    raw: async (path, options) => call(rawRequest(path, options)),
    close: transport.close,
    stats: () => ({ ...count, connections: transport.opened() }),
    serverWall: () => (clock.wall() + serverAhead) as Millis,
  }
}

/** All of an answer, or as much of an object as is wanted. */
function readerOf({ keep }: ApiRequest): HttpRead {
  if (keep === undefined) return readJson
  return async (answer, asked) =>
    readParsed(answer, asked, async (chunks) => readObject(chunks, keep))
}
