/** What a Prometheus scrapes: a page of metrics on loopback, rendered at each request. */
import { serveHttp } from '../../src/runtime/http-server.ts'
import { metricsContentType } from '../../src/runtime/metrics.ts'

export type MetricsPage = {
  /** Host and port. */
  readonly address: string
  readonly close: () => Promise<void>
}

export async function serveMetrics(render: () => string): Promise<MetricsPage> {
  const page = () => ({ body: render(), type: metricsContentType })
  const server = await serveHttp({
    host: '127.0.0.1',
    port: 0,
    routes: { '/metrics': { GET: page } },
    log: () => {},
  })
  return {
    address: `127.0.0.1:${server.port}`,
    close: async () => server.close(AbortSignal.timeout(1000)),
  }
}
