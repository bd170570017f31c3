/** Which pods of a ReplicaSet go first when there are too many: the least loss first. */
import { memberOf } from '../apiserver/members.ts'
import { isReady, type PodObject, readySince } from './workload.ts'

const phaseRank: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 }
const costAnnotation = 'controller.kubernetes.io/pod-deletion-cost'

const costOf = ({ metadata }: PodObject): number =>
  Number(metadata.annotations?.[costAnnotation] ?? 0)

const restartsOf = ({ status }: PodObject): number =>
  Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount = 0 }) => restartCount))

/** Ages of the same power of two are as good as equal, so that not always the youngest go. */
const ageRank = (age: number): number => (age > 0 ? Math.floor(Math.log2(age * 1e6)) : -1)

type Rank = (
  pod: PodObject,
  at: { readonly neighbours: ReadonlyMap<string | undefined, number>; readonly now: number },
) => number

/** Ascending: the first is the first to go. */
const criteria: readonly Rank[] = [
  (pod) => (pod.spec?.nodeName === undefined ? 0 : 1),
  (pod) => memberOf(phaseRank, pod.status?.phase ?? 'Pending') ?? 1,
  (pod) => (isReady(pod) ? 1 : 0),
  costOf,
  (pod, { neighbours }) => -(neighbours.get(pod.spec?.nodeName) ?? 0),
  (pod, { now }) => ageRank(now - (readySince(pod) ?? now)),
  (pod) => -restartsOf(pod),
  (pod, { now }) => ageRank(now - Date.parse(pod.metadata.creationTimestamp)),
]

export function inDeletionOrder(
  pods: readonly PodObject[],
  { related, now }: { readonly related: readonly PodObject[]; readonly now: number },
): readonly PodObject[] {
  const neighbours = new Map<string | undefined, number>()
  for (const { spec } of related) {
    neighbours.set(spec?.nodeName, (neighbours.get(spec?.nodeName) ?? 0) + 1)
  }
  const ranked = pods.map((pod) => ({
    pod,
    ranks: criteria.map((rank) => rank(pod, { neighbours, now })),
  }))
  return ranked
    .toSorted((a, b) => compareRanks(a.ranks, b.ranks) || byUid(a.pod, b.pod))
    .map(({ pod }) => pod)
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((rank, i) => rank !== b[i])
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}

const byUid = (a: PodObject, b: PodObject): number => (a.metadata.uid < b.metadata.uid ? -1 : 1)
