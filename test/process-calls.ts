/** Every call that our processes make of the API, as an authorizer is asked about it. */
import { events } from '../src/apis/event.ts'
import { horizontalPodAutoscalers } from '../src/apis/hpa.ts'
import { leases } from '../src/apis/lease.ts'
import { limitRanges } from '../src/apis/limit-range.ts'
import { marketSettings } from '../src/apis/market-settings.ts'
import { podMetrics } from '../src/apis/metrics.ts'
import { fieldManagers, systemNamespace } from '../src/apis/names.ts'
import { namespaces } from '../src/apis/namespace.ts'
import { nodeMarkets } from '../src/apis/node-market.ts'
import { nodeResourceTopologies } from '../src/apis/node-resource-topology.ts'
import { nodes } from '../src/apis/node.ts'
import type { KubeObject, Resource } from '../src/apis/object.ts'
import { podAllocations } from '../src/apis/pod-allocation.ts'
import { pods } from '../src/apis/pod.ts'
import { resourceQuotas } from '../src/apis/resource-quota.ts'
import { verticalPodAutoscalers } from '../src/apis/vpa.ts'

export type Call = {
  readonly verb: string
  readonly group: string
  /** With its subresource, such as `pods/resize`. */
  readonly resource: string
  /** Undefined: in any, or it has none. */
  readonly namespace?: string
  /** Undefined: of any name. */
  readonly name?: string
}

/** Such as `patch pods/resize` or `get leases.coordination.k8s.io mbcas-system mbcas-controller`. */
export const lineOf = ({ verb, group, resource, namespace, name }: Call): string =>
  [verb, group === '' ? resource : `${resource}.${group}`, namespace, name]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')

const calls = (
  verbs: readonly string[],
  { group, plural }: Pick<Resource<KubeObject>, 'group' | 'plural'>,
  more: { readonly subresource?: string; readonly namespace?: string; readonly name?: string } = {},
): Call[] => {
  const { subresource, ...place } = more
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`
  return verbs.map((verb) => ({ verb, group, resource, ...place }))
}

/** A cache lists and watches. */
const cached = (...resources: readonly Pick<Resource<KubeObject>, 'group' | 'plural'>[]): Call[] =>
  resources.flatMap((resource) => calls(['list', 'watch'], resource))

export const agentCalls: readonly Call[] = [
  ...cached(nodes, pods, namespaces, limitRanges, marketSettings, podAllocations),
  ...calls(['get'], nodes),
  ...calls(['get', 'create', 'patch'], podAllocations),
  ...calls(['create', 'patch'], nodeMarkets),
  ...calls(['create', 'patch'], nodeResourceTopologies),
  ...calls(['create', 'patch'], events),
  ...calls(['create', 'patch'], leases, { namespace: systemNamespace }),
]

export const dashboardCalls: readonly Call[] = [
  ...cached(nodes, pods, events, nodeMarkets, podAllocations, marketSettings),
  ...calls(['list'], podMetrics),
  ...calls(['list', 'watch'], leases, { namespace: systemNamespace }),
]

const lease = { namespace: systemNamespace, name: fieldManagers.controller }

export const controllerCalls: readonly Call[] = [
  ...cached(pods, nodes, namespaces, limitRanges, resourceQuotas, marketSettings),
  ...cached(podAllocations, nodeMarkets, horizontalPodAutoscalers, verticalPodAutoscalers),
  ...calls(['get'], { group: 'apps', plural: 'replicasets' }),
  ...calls(['get'], { group: 'batch', plural: 'jobs' }),
  ...calls(['patch'], podAllocations, { subresource: 'status' }),
  ...calls(['create', 'delete'], podAllocations),
  ...calls(['get'], pods),
  ...calls(['patch'], pods),
  ...calls(['patch'], pods, { subresource: 'resize' }),
  ...calls(['create', 'patch'], events),
  ...calls(['create', 'list', 'watch'], leases, { namespace: systemNamespace }),
  ...calls(['get', 'update'], leases, lease),
]
