/**
 * A node's signs of life: its lease, renewed four times in its duration, and its status, posted every
 * five minutes and when it differs. A renewal makes one object that shares all but `spec` with the last.
 */
import type { Agenda } from '../agenda.ts'
import type { Api } from '../apiserver/api.ts'
import type { ApiObject } from '../apiserver/object.ts'
import { Refusal } from '../apiserver/refusal.ts'
import { leaseNamespace, type SimNode, type SimNodeStatus } from '../nodes/node.ts'
import { leases, nodes } from '../resources.ts'
import { microTimeOf } from '../timestamps.ts'
import { type Devices, differs, newNode, nodeStatus } from './node-object.ts'
import type { NodeSettings } from './node-settings.ts'

const statusEvery = 300_000
const manager = 'kubelet'

type Heartbeat = {
  /** Registers the node if there is none of this name. */
  readonly register: () => SimNode
  readonly beat: () => void
  /** Posts the status if it says something new. */
  readonly post: (now: { readonly isReady: boolean; readonly devices: Devices }) => void
}

export function createHeartbeat(at: {
  readonly api: Api
  readonly agenda: Agenda
  readonly settings: NodeSettings
}): Heartbeat {
  const { api, agenda, settings } = at
  const { name, leaseSeconds = 40 } = settings
  const leasePlace = { namespace: leaseNamespace, name }
  let lease: ApiObject | undefined
  /** As the API server holds it: another one there was written by somebody else. */
  let posted: unknown
  let postedAt = -Infinity
  let told: { readonly isReady: boolean; readonly devices: Devices } = {
    isReady: false,
    devices: new Map(),
  }

  const find = () => api.find(nodes, { name }) as SimNode | undefined
  const write = (node: SimNode, status: SimNodeStatus) => {
    const by = { manager, subresource: 'status' } as const
    posted = api.update(nodes, { ...node, status }, by).status
    postedAt = agenda.now()
  }

  const post: Heartbeat['post'] = (now) => {
    told = now
    const node = find()
    if (node === undefined) return
    const wall = agenda.wall()
    const status = nodeStatus({ settings, ...now, wall, old: node.status })
    if (agenda.now() - postedAt >= statusEvery || differs(node.status, status)) {
      // Other fields, such as `config` or volumes, are not ours.
      write(node, { ...node.status, ...status })
    } else posted = node.status
  }

  const renew = (node: SimNode) => {
    const renewTime = microTimeOf(agenda.wall())
    lease ??= api.find(leases, leasePlace)
    if (lease === undefined) {
      const { uid } = node.metadata
      const created = {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: {
          ...leasePlace,
          ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }],
        },
        spec: { holderIdentity: name, leaseDurationSeconds: leaseSeconds, renewTime },
      }
      lease = api.create(leases, created, { manager })
      return
    }
    const spec = { ...(lease.spec as object), renewTime }
    lease = api.update(leases, { ...lease, spec }, { manager })
  }

  return {
    register() {
      const known = find()
      if (known !== undefined) return known
      const created = api.create(nodes, newNode(settings), { manager }) as SimNode
      write(created, nodeStatus({ settings, ...told, wall: agenda.wall() }))
      return created
    },
    beat() {
      const node = find()
      if (node === undefined) return
      if (node.status !== posted || agenda.now() - postedAt >= statusEvery) post(told)
      try {
        renew(node)
      } catch (error) {
        // Changed or gone since: the next beat looks again. So does a real kubelet.
        if (!(error instanceof Refusal)) throw error
        lease = undefined
      }
    },
    post,
  }
}
