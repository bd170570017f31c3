/** Reading a cluster: whole lists, and what a cluster need not have. */
import { type NodeMetrics, type PodMetrics, usedCpuOf } from '../../apis/metrics.ts'
import type { KubeObject, Resource } from '../../apis/object.ts'
import type { Millicores } from '../../core/units.ts'
import { ApiError, isMissingType, isReason, type Kube, type Selection } from '../../ports/kube.ts'

type Lister = Pick<Kube, 'list'>

/**
 * All of them. Without a limit in one answer: from Kubernetes 1.33 on the API server has them in memory,
 * and every page would cost a round trip.
 */
export async function listAll<T extends KubeObject>(
  kube: Lister,
  resource: Resource<T>,
  query: Selection & { readonly limit?: number } = {},
): Promise<readonly T[]> {
  const first = await kube.list(resource, query)
  const found = [...first.items]
  for (let { next } = first; next !== undefined;) {
    const page = await kube.list(resource, { ...query, continue: next })
    found.push(...page.items)
    next = page.next
  }
  return found
}

/** The object, or undefined if there is none of that name; a type that is not installed is an error. */
export async function orNothing<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (isReason(error, 'NotFound') && !isMissingType(error)) return undefined
    throw error
  }
}

/** What the server does not have or does not let us see is not shown; no answer at all is an error. */
export async function ifAllowed<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Of pods by `namespace/name`, of nodes by name; undefined where no metrics server tells. */
export type Usage = ReadonlyMap<string, Millicores> | undefined

export async function readUsage(
  kube: Lister,
  resource: Resource<PodMetrics | NodeMetrics>,
  selection: Selection = {},
): Promise<Usage> {
  const found = await ifAllowed(listAll(kube, resource, selection))
  return found && new Map(found.map((one) => [keyOf(one), usedCpuOf(one)]))
}

/** `namespace/name`, or the name of what has no namespace. */
export const keyOf = ({ metadata: { namespace, name = '' } }: KubeObject): string =>
  namespace === undefined ? name : `${namespace}/${name}`
