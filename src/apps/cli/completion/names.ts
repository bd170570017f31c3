/** Names to complete with, of what a cluster has. */
import { namespaces } from '../../../apis/namespace.ts'
import { nodeMarkets } from '../../../apis/node-market.ts'
import type { KubeObject, Resource } from '../../../apis/object.ts'
import { podAllocations } from '../../../apis/pod-allocation.ts'
import { pods } from '../../../apis/pod.ts'
import type { Kube } from '../../../ports/kube.ts'
import { compare } from '../order.ts'
import { type Candidate, candidatesOf } from './complete.ts'

export type ClusterName = 'pod' | 'node' | 'allocation' | 'namespace'

const resources: Readonly<Record<ClusterName, Resource<KubeObject>>> = {
  pod: pods,
  node: nodeMarkets,
  allocation: podAllocations,
  namespace: namespaces,
}

/** More than anybody reads, and few enough to be quick. */
const most = 500

type Wanted = {
  readonly of: ClusterName
  readonly prefix: string
  /** Of `-n`, if it was given. */
  readonly namespace: string | undefined
  /** Of the kubeconfig's context. */
  readonly usual: string
}

/** With a slash in what is typed, names of the namespace before it. */
export async function namesFor(kube: Pick<Kube, 'list'>, wanted: Wanted): Promise<Candidate[]> {
  const { of, prefix } = wanted
  const resource = resources[of]
  if (!resource.namespaced) return candidatesOf(prefix, await namesIn(kube, resource))
  const slash = prefix.indexOf('/')
  if (slash < 0) {
    const names = await namesIn(kube, resource, wanted.namespace ?? wanted.usual)
    return candidatesOf(prefix, names)
  }
  const namespace = prefix.slice(0, slash)
  const names = await namesIn(kube, resource, namespace)
  return candidatesOf(
    prefix,
    names.map((name) => `${namespace}/${name}`),
  )
}

async function namesIn(
  kube: Pick<Kube, 'list'>,
  resource: Resource<KubeObject>,
  namespace?: string,
): Promise<string[]> {
  const { items } = await kube.list(resource, {
    limit: most,
    ...(namespace !== undefined && { namespace }),
  })
  return items.map(({ metadata }) => metadata.name ?? '').toSorted(compare)
}
