/**
 * The question to Prometheus: one for all pods, so that a node costs one query a turn.
 *
 *   $namespace, $pod   stand for the names of the pods asked about, as one regular expression
 *
 *   {namespace=~"$namespace",pod=~"$pod"}   of default/api-0 and shop/web.1
 *   {namespace=~"default|shop",pod=~"api-0|web[.]1"}
 *
 * The answer is an instant vector in seconds whose series have the labels `namespace` and `pod`; a
 * query for metrics with other labels or units renames (`label_replace`) or divides them. Without
 * placeholders it is sent as it is, and every agent gets the pods of the whole cluster.
 */
import type { PodName } from '../../core/pod-name.ts'

/** Named as the instrumentation libraries do. A minute holds four scrapes at the usual 15 s. */
export const defaultQuery =
  'histogram_quantile(0.99, sum by (namespace, pod, le) (rate(' +
  'http_request_duration_seconds_bucket{namespace=~"$namespace",pod=~"$pod"}[1m])))'

export function fillQuery(query: string, pods: readonly PodName[]): string {
  const names = {
    namespace: alternatives(pods.map(({ namespace }) => namespace)),
    pod: alternatives(pods.map(({ name }) => name)),
  }
  return query.replaceAll(/\$(namespace|pod)\b/g, (_, of: keyof typeof names) => names[of])
}

/** Of what Kubernetes allows in names only the dot means something; `[.]` needs no escape in a string. */
const alternatives = (names: readonly string[]): string =>
  [...new Set(names)]
    .toSorted()
    .map((name) => name.replaceAll('.', '[.]'))
    .join('|')
