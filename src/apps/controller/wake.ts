/** Which pods are to be looked at when something in the cluster changes. */
import type { PodAllocation } from '../../apis/pod-allocation.ts'
import type { Change, StoreView } from '../../runtime/store.ts'
import type { WorkQueue } from '../../runtime/work-queue.ts'
import type { CacheHandlers } from './caches.ts'
import type { NodeLedger } from './node-ledger.ts'
import type { SeenPod } from './seen-pod.ts'
import { quotaOf, roomOn, type WaitingRoom } from './waiting-room.ts'

export type Waking = {
  readonly queue: Pick<WorkQueue, 'add'>
  readonly allocationOf: (key: string) => PodAllocation | undefined
  readonly pods: () => StoreView<SeenPod, 'namespace' | 'node'>
  readonly ledger: NodeLedger
  readonly waiting: WaitingRoom
  /** Of a PodAllocation, or a pod, that is gone. */
  readonly forgetAllocation: (key: string) => void
  readonly forgetPod: (uid: string) => void
}

export type Waker = CacheHandlers & {
  /** There is more room on a node. */
  readonly freed: (node: string) => void
}

export function createWaker(on: Waking): Waker {
  const { queue, allocationOf, ledger, waiting } = on
  const wake = (keys: Iterable<string>): void => {
    for (const key of keys) queue.add(key)
  }
  const isOurs = ({ key, original }: SeenPod): boolean =>
    original !== undefined || allocationOf(key) !== undefined
  const wakePods = (pods: readonly SeenPod[]): void =>
    wake(pods.filter(isOurs).map(({ key }) => key))
  const freed = (node: string): void => wake(waiting.waitingFor(roomOn(node)))

  return {
    freed,
    allocation: (change) => {
      if (change.type === 'deleted') on.forgetAllocation(change.key)
      if (!isStatusOnly(change)) queue.add(change.key)
    },
    pod: (change) => {
      const node = ledger.note(change)
      if (node !== undefined) freed(node)
      const pod = change.type === 'deleted' ? change.before : change.now
      if (change.type === 'deleted') on.forgetPod(pod.uid)
      if (isOurs(pod)) queue.add(change.key)
    },
    node: (name) => wakePods(on.pods().byIndex('node', name)),
    namespace: (name) => wakePods(on.pods().byIndex('namespace', name)),
    settings: () => wakePods(on.pods().list()),
    quota: (namespace) => wake(waiting.waitingFor(quotaOf(namespace))),
  }
}

/** Statuses are written by ourselves. */
const isStatusOnly = (change: Change<PodAllocation>): boolean =>
  change.type === 'updated' &&
  change.before.metadata.generation === change.now.metadata.generation &&
  change.before.metadata.deletionTimestamp === change.now.metadata.deletionTimestamp
