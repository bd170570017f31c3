/** What a kube-apiserver says that was asked of it, by kind: `PATCH pods/resize`. */
import type { Kube } from '../../../src/ports/kube.ts'

export type Counts = Readonly<Record<string, number>>

export async function apiCounts(kube: Pick<Kube, 'raw'>): Promise<Counts> {
  const counts: Record<string, number> = {}
  for (const line of String(await kube.raw('/metrics')).split('\n')) {
    if (!line.startsWith('apiserver_request_total{')) continue
    const [, labels = '', value] = /^[^{]*\{(.*)\} (\S+)$/.exec(line) ?? []
    const labelOf = (name: string) => new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1] ?? ''
    const subresource = labelOf('subresource')
    const resource = `${labelOf('resource')}${subresource === '' ? '' : `/${subresource}`}`
    const kind = `${methodOf(labelOf('verb'))} ${resource}`
    counts[kind] = (counts[kind] ?? 0) + Number(value)
  }
  return counts
}

/** In its metrics, a kube-apiserver names a server-side apply by a verb of its own. */
const methodOf = (verb: string): string => (verb === 'APPLY' ? 'PATCH' : verb)
