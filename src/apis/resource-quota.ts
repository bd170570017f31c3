/** The parts of a ResourceQuota that we read: what a namespace may have of CPU together, and has. */
import { type Keep, short } from './keep.ts'
import type { KubeObject, Resource } from './object.ts'
import type { ResourceList } from './pod.ts'

export type ResourceQuota = KubeObject & {
  readonly spec?: {
    readonly scopes?: readonly string[]
    readonly scopeSelector?: { readonly matchExpressions?: readonly unknown[] }
  }
  readonly status?: { readonly hard?: ResourceList; readonly used?: ResourceList }
}

export const resourceQuotas: Resource<ResourceQuota> = {
  group: '',
  version: 'v1',
  plural: 'resourcequotas',
  kind: 'ResourceQuota',
  namespaced: true,
}

/** `cpu` is the old name of `requests.cpu`. */
const cpuNames: ReadonlySet<string> = new Set(['cpu', 'requests.cpu', 'limits.cpu'])

const cpuKeep: Keep = Object.fromEntries([...cpuNames].map((name) => [name, short]))

export const resourceQuotaKeep: Keep = {
  spec: { scopes: short, scopeSelector: {} },
  status: { hard: cpuKeep, used: cpuKeep },
}

/** A copy of what an informer keeps. */
export const projectResourceQuota = ({ metadata, spec, status }: ResourceQuota): ResourceQuota => ({
  metadata: {
    ...(metadata.name !== undefined && { name: metadata.name }),
    ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
  },
  ...(spec && {
    spec: {
      ...(spec.scopes && { scopes: [...spec.scopes] }),
      ...(spec.scopeSelector && { scopeSelector: {} }),
    },
  }),
  status: { hard: cpuPart(status?.hard), used: cpuPart(status?.used) },
})

const cpuPart = (list: ResourceList = {}): ResourceList =>
  Object.fromEntries(Object.entries(list).filter(([name]) => cpuNames.has(name)))
