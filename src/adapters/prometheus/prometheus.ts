import { keyOfPod } from '../../core/pod-name.ts'
/** Asks a Prometheus, or what speaks its HTTP API (Thanos, Mimir, VictoriaMetrics), for latencies. */
import type { Clock } from '../../ports/clock.ts'
import type { LatencySource } from '../../ports/latency.ts'
import { causeOf, readBounded, wordsOf } from '../http-text.ts'
import { exchange, type Exchange } from '../kube/exchange.ts'
import { isUntrusted } from '../kube/failures.ts'
import { type RotatingText, rotatingText } from '../kube/rotating-text.ts'
import { checkUrl, type Connection, openConnection, withoutPassword } from './connection.ts'
import { describeRefusal, parseLatencies, shortened } from './parse.ts'
import { defaultQuery, fillQuery } from './query.ts'

export type PrometheusOptions = {
  /** Such as http://prometheus.monitoring:9090; it may have a path. */
  readonly url: string
  readonly query?: string
  /** Read anew as it is replaced, as the CA's is. */
  readonly bearerTokenFile?: string
  readonly caFile?: string
  /** From the question to the end of the answer; Prometheus is told to give up then, too. */
  readonly timeoutMillis?: number
}

const USUAL_TIMEOUT_MILLIS = 5000
/** Some thousands of pods: more than a node has, by far. */
const most = {
  mostBytes: 1024 * 1024,
  remedy: ': narrow the query by $namespace and $pod',
}

export function openPrometheus(
  { url, query = defaultQuery, timeoutMillis = USUAL_TIMEOUT_MILLIS, ...files }: PrometheusOptions,
  clock: Clock,
): LatencySource {
  const base = checkUrl(url, files.caFile)
  const shownUrl = withoutPassword(base)
  const token = textOf('the bearer token for Prometheus', files.bearerTokenFile, clock)
  const connection = openConnection(base, textOf("Prometheus' CA", files.caFile, clock))
  const underWay = new Set<(error: Error) => void>()

  const ask = async (body: string, signal: AbortSignal): Promise<Exchange> => {
    const secret = token?.read()
    const request = { title: 'asking for latencies', path: '', pool: 'request' } as const
    return exchange(
      { ...request, method: 'POST', body, signal },
      {
        url: `${base.href}api/v1/query`,
        agent: connection.agent(),
        headers: {
          Accept: 'application/json',
          'Content-Type': 'application/x-www-form-urlencoded',
          ...(secret === undefined ? {} : { Authorization: `Bearer ${secret}` }),
        },
        timeoutMillis,
        onSocket: () => {},
        underWay,
      },
    )
  }

  const read: LatencySource['read'] = async (pods, signal) => {
    const form = { query: fillQuery(query, pods), timeout: `${timeoutMillis}ms` }
    try {
      const { status, chunks } = await ask(String(new URLSearchParams(form)), signal)
      const text = await readBounded(chunks, most)
      if (status === 401) token?.expire()
      if (status !== 200)
        throw new Error(`expected 200, got ${status}${hintFor(status)}: ${describeRefusal(text)}`)
      const { p99Millis, unusable } = parseLatencies(text)
      const wanted = new Set(pods.map(keyOfPod))
      return { p99Millis: new Map([...p99Millis].filter(([key]) => wanted.has(key))), unusable }
    } catch (error) {
      const why = explain(error as Error, connection)
      throw new Error(`asking ${shownUrl} for ${shortened(query)}: ${why}`, { cause: error })
    }
  }

  return {
    where: `p99 latency from ${shownUrl} by ${shortened(query)}`,
    read,
    close: () => {
      for (const stop of underWay) stop(new Error('closed'))
      connection.close()
    },
  }
}

const textOf = (name: string, file: string | undefined, clock: Clock): RotatingText | undefined =>
  file === undefined ? undefined : rotatingText({ file, name }, clock)

function hintFor(status: number): string {
  if (status === 401 || status === 403) return ' (does it want a bearer token, or another?)'
  return status === 404 ? ' (is the path of the URL right?)' : ''
}

function explain(error: Error, connection: Connection): string {
  const cause = causeOf(error)
  if (isUntrusted(cause)) {
    connection.renewCa()
    return `its certificate is not signed by a CA that we know (${cause.message}): give that CA's file`
  }
  return wordsOf(cause)
}
