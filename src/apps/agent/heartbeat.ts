/**
 * Renews the agent's Lease for as long as it works: an agent that is stuck is as good as dead. The Lease
 * is owned by the Node, so that garbage collection removes it when the node goes.
 */
import { agentLease, agentLeasePlace } from '../../apis/agent-lease.ts'
import { leases, microTime } from '../../apis/lease.ts'
import { fieldManagers, systemNamespace } from '../../apis/names.ts'
import { type Node, nodes } from '../../apis/node.ts'
import { apiVersionOf, type KubeObject } from '../../apis/object.ts'
import type { Clock } from '../../ports/clock.ts'
import { isReason, type Kube } from '../../ports/kube.ts'
import { ownerReference } from '../../runtime/owner-reference.ts'
import { within } from '../../runtime/within.ts'

type Needs = {
  readonly kube: Kube
  readonly clock: Clock
  readonly node: Pick<Node, 'metadata'>
}

/** One renewal; an apply creates the Lease where there is none. */
export async function renewLease({ kube, clock, node }: Needs, signal: AbortSignal): Promise<void> {
  const { name: nodeName = '' } = node.metadata
  const place = agentLeasePlace(nodeName)
  const metadata = { ...place, ownerReferences: [ownerReference<KubeObject>(nodes, node)] }
  const spec = {
    holderIdentity: nodeName,
    leaseDurationSeconds: agentLease.durationSeconds,
    renewTime: microTime(clock.wall()),
  }
  const body = { apiVersion: apiVersionOf(leases), kind: leases.kind, metadata, spec }
  const writing = { type: 'apply', body, fieldManager: fieldManagers.agent, force: true } as const
  try {
    await within(clock, { timeout: agentLease.renewMillis, signal }, async (limited) =>
      kube.patch(leases, place, writing, { signal: limited, purpose: 'lease' }),
    )
  } catch (error) {
    // An apply makes the Lease, but not its namespace.
    if (!isReason(error, 'NotFound')) throw error
    throw new Error(
      `${error.message}; make the namespace ${systemNamespace}: kubectl apply -f deploy/rbac/00-namespace.yaml`,
      { cause: error },
    )
  }
}
