/** What Kubernetes and Prometheus ask of every process. */
import type { HttpReply, HttpRoutes } from './http-server-answer.ts'
import { metricsContentType, type Registry } from './metrics.ts'

export type Verdict = { readonly ok: true } | { readonly ok: false; readonly reason: string }
/** By name; one that throws says no. */
export type Checks = Readonly<Record<string, () => Verdict | Promise<Verdict>>>

export type Probes = {
  /** No to one of these gets the process restarted. */
  readonly live: Checks
  /** No to one of these takes the pod out of its service. */
  readonly ready: Checks
  readonly metrics: Registry
}

export const probeRoutes = ({ live, ready, metrics }: Probes): HttpRoutes => ({
  '/healthz': { GET: async () => report(live) },
  '/readyz': { GET: async () => report(ready) },
  '/metrics': { GET: () => ({ type: metricsContentType, body: metrics.render() }) },
})

async function report(checks: Checks): Promise<HttpReply> {
  const verdicts = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => ({ name, verdict: await ask(check) })),
  )
  const lines = verdicts.map(({ name, verdict }) =>
    verdict.ok ? `[+] ${name}` : `[-] ${name}: ${verdict.reason}`,
  )
  const isOk = verdicts.every(({ verdict }) => verdict.ok)
  return {
    status: isOk ? 200 : 503,
    headers: { 'cache-control': 'no-store' },
    body: `${[...lines, isOk ? 'ok' : 'not ok'].join('\n')}\n`,
  }
}

async function ask(check: Checks[string]): Promise<Verdict> {
  try {
    return await check()
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) }
  }
}
