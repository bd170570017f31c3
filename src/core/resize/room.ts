/**
 * Objective: raises within what quotas and the node have left; a fall is never held.
 * Method: what counts is what the pod keeps from others until the kubelet is done (`heldBy`), so a
 * container that falls makes room only when it has fallen, and the sum over the node is never above its
 * allocatable, in no state in between. The raises of a pod share the room in proportion.
 * Complexity: O(containers x quotas).
 *
 *   node 4000m, others 3000m, pod 500m, 800m asked     ->  800m
 *   node 4000m, others 3000m, pod 500m, 2000m asked    ->  1000m, and the rest when there is room
 *   quota 2000m, 1900m used, limit 500m, 1000m asked   ->  600m
 */
import { heldBy, joinCpu, totalOf } from './containers.ts'
import { cutMoves } from './cut-moves.ts'
import type { Grid } from './quantise.ts'
import type { ContainerCpu, NodeRoom, PodCpu, QuotaRoom } from './types.ts'

type Containers = readonly ContainerCpu[]

/** A request that follows its limit down leaves its part to the others. */
export const limitsFirst = (quotas: readonly QuotaRoom[]): readonly QuotaRoom[] => [
  ...quotas.filter(({ of }) => of === 'limit'),
  ...quotas.filter(({ of }) => of === 'request'),
]

export function cutToQuota(
  wish: Containers,
  { pod, quota, grid }: { pod: PodCpu; quota: QuotaRoom; grid: Grid },
): Containers {
  const { of: field, hard, used } = quota
  return cutMoves(wish, { field, direction: 'up', from: heldBy(pod), room: hard - used, grid })
}

export const describeQuota = ({ quota, of, hard, used }: QuotaRoom): string =>
  `ResourceQuota "${quota}" has ${Math.max(0, hard - used)}m of ${of}s left, of ${hard}m`

/** Why the node could never hold a raise, even alone; undefined if it could. */
export function beyondNode(
  wish: Containers,
  { pod, node }: { pod: PodCpu; node: NodeRoom | undefined },
): string | undefined {
  const asked = totalOf(joinCpu(pod.spec, wish), 'request')
  const isRaise = asked > totalOf(pod.spec, 'request')
  if (node === undefined || asked <= node.allocatable || !isRaise) return undefined
  const most = `${node.allocatable}m, all that node "${node.name}" has`
  return `expected requests of at most ${most}, got ${asked}m`
}

export function cutToNode(
  wish: Containers,
  { pod, node, grid }: { pod: PodCpu; node: NodeRoom | undefined; grid: Grid },
): Containers {
  const room = node === undefined ? 0 : leftBeside(pod, node)
  return cutMoves(wish, { field: 'request', direction: 'up', from: heldBy(pod), room, grid })
}

const leftBeside = (pod: PodCpu, { allocatable, others }: NodeRoom): number =>
  allocatable - others - totalOf(heldBy(pod), 'request')

export function describeRoom(pod: PodCpu, node: NodeRoom | undefined): string {
  if (node === undefined) return 'the node is not known, so nothing is known to be left there'
  const { name, allocatable, others } = node
  const left = Math.max(0, leftBeside(pod, node))
  return `node "${name}" has ${left}m left: of ${allocatable}m other pods keep ${others}m`
}
