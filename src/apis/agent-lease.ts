/**
 * The Lease by which an agent says that it lives, as a kubelet does for its node. Named by the node, so
 * that nobody has to look for it; an admission policy ties it to the node of the agent's token.
 */
import { type Lease } from './lease.ts'
import { fieldManagers, systemNamespace } from './names.ts'
import { timeIn, writtenAt } from './object.ts'

const leasePrefix = 'mbcas-agent-'

export const agentLeasePlace = (node: string) => ({
  namespace: systemNamespace,
  name: `${leasePrefix}${node}`,
})

/** A renewal every ten seconds: three may fail before anybody says that the agent does not answer. */
export const agentLease = { renewMillis: 10_000, durationSeconds: 40 } as const

/**
 * By node: when its agent renewed its lease last, by the clock of the API server, so that nodes whose
 * clocks differ can be compared; where the server did not note it, by that of the node.
 */
export function renewalsIn(leases: readonly Lease[]): ReadonlyMap<string, number> {
  const renewals = new Map<string, number>()
  for (const lease of leases) {
    const { name = '' } = lease.metadata
    const at = writtenAt(lease, fieldManagers.agent) ?? timeIn(lease.spec?.renewTime)
    if (name.startsWith(leasePrefix) && at !== undefined) {
      renewals.set(name.slice(leasePrefix.length), at)
    }
  }
  return renewals
}
