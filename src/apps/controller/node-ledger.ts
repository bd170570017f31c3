/**
 * How much CPU the pods of each node claim, kept as a running sum, and the raises that were sent and
 * that the cache does not show yet: two raises at once must not both count on the same room.
 *
 *   node of 4000m, claims 3500m    a raise of 300m is promised   ->  others see 3800m
 *   the cache shows the raise      claims 3800m, no promise      ->  others see 3800m
 *   it is refused                  the promise is taken back     ->  others see 3500m
 */
import type { Millicores } from '../../core/units.ts'
import { isOlder } from '../../runtime/store-version.ts'
import type { Change } from '../../runtime/store.ts'
import type { SeenPod } from './seen-pod.ts'

export type NodeLedger = {
  /** Of every change of a pod; the node that has more room after it. */
  readonly note: (change: Change<SeenPod>) => string | undefined
  /** What all but this pod claim of its node, promises among it. */
  readonly othersOf: (pod: SeenPod) => Millicores
  /** Before a resize leaves: the pod will claim so much more. */
  readonly promise: (pod: SeenPod, raise: Millicores) => void
  /** It was accepted: the promise holds until the cache shows this version. */
  readonly keep: (pod: SeenPod, version: string) => void
  /** It was refused. */
  readonly takeBack: (pod: SeenPod) => void
  /** It is decided anew: what was not answered before that counts no more. */
  readonly takeBackUnanswered: (pod: SeenPod) => void
}

type Promised = {
  readonly key: string
  readonly claim: number
  /** Undefined until the server has answered. */
  version: string | undefined
}

export function createNodeLedger(podOf: (key: string) => SeenPod | undefined): NodeLedger {
  const claims = new Map<string, number>()
  /** By node, then by UID. */
  const promises = new Map<string, Map<string, Promised>>()

  const claimedOn = (node: string): number => claims.get(node) ?? 0

  function count(pod: SeenPod | undefined, by: 1 | -1): void {
    const { nodeName: node, claim = 0 } = pod ?? {}
    if (node === undefined) return
    const sum = claimedOn(node) + by * claim
    if (sum === 0) claims.delete(node)
    else claims.set(node, sum)
  }

  /** Beyond what the cache shows; what it shows by now is forgotten. */
  function promisedOn(node: string, except: string): number {
    const sent = promises.get(node)
    let sum = 0
    for (const [uid, promised] of sent ?? []) {
      const pod = podOf(promised.key)
      const { version } = promised
      const isShown =
        version !== undefined && !isOlder(pod?.metadata.resourceVersion ?? '', version)
      if (pod?.uid !== uid || isShown) sent?.delete(uid)
      else if (uid !== except) sum += Math.max(0, promised.claim - pod.claim)
    }
    return sum
  }

  return {
    note: (change) => {
      const before = change.type === 'added' ? undefined : change.before
      const now = change.type === 'deleted' ? undefined : change.now
      count(before, -1)
      count(now, 1)
      return (before?.claim ?? 0) > (now?.claim ?? 0) ? before?.nodeName : undefined
    },
    othersOf: ({ nodeName = '', uid, claim }) =>
      (claimedOn(nodeName) - claim + promisedOn(nodeName, uid)) as Millicores,
    promise: ({ nodeName = '', uid, key, claim }, raise) => {
      if (raise <= 0) return
      const sent = promises.get(nodeName) ?? new Map<string, Promised>()
      promises.set(nodeName, sent)
      sent.set(uid, { key, claim: claim + raise, version: undefined })
    },
    keep: ({ nodeName = '', uid }, version) => {
      const promised = promises.get(nodeName)?.get(uid)
      if (promised !== undefined) promised.version = version
    },
    takeBack: ({ nodeName = '', uid }) => void promises.get(nodeName)?.delete(uid),
    takeBackUnanswered: ({ nodeName = '', uid }) => {
      const sent = promises.get(nodeName)
      if (sent?.get(uid)?.version === undefined) sent?.delete(uid)
    },
  }
}
