/** For tests: what the pods of a node hold of its CPU, as the scheduler counts it. */
import { nodes } from '../../src/apis/node.ts'
import { type ContainerStatus, cpuIn, type Pod, pods } from '../../src/apis/pod.ts'
import type { SimCluster } from '../../src/sim/cluster.ts'

type WithCapacity = {
  readonly status?: { readonly allocatable?: Readonly<Record<string, string>> }
}

/** Nodes whose pods hold more than they have, in words. */
export function overcommitted({ api }: SimCluster): string[] {
  const held = new Map<string, number>()
  for (const pod of api.list(pods) as unknown as readonly Pod[]) {
    const { nodeName } = pod.spec
    const hasEnded = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
    if (nodeName === undefined || hasEnded) continue
    held.set(nodeName, (held.get(nodeName) ?? 0) + requestOf(pod))
  }
  return api.list(nodes).flatMap((node) => {
    const all = cpuIn((node as WithCapacity).status?.allocatable) ?? 0
    const used = held.get(node.metadata.name) ?? 0
    return used > all ? [`${node.metadata.name} holds ${used}m of ${all}m`] : []
  })
}

/** The most of what is desired, set aside and actuated, of each container. */
export function requestOf({ spec, status }: Pod): number {
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])]
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy)
  return [...spec.containers, ...sidecars].reduce((all, { name, resources }) => {
    const told: ContainerStatus | undefined = statuses.find((one) => one.name === name)
    const amounts = [
      cpuIn(resources?.requests),
      cpuIn(told?.allocatedResources),
      cpuIn(told?.resources?.requests),
    ]
    return all + Math.max(0, ...amounts.map((amount) => amount ?? 0))
  }, 0)
}
