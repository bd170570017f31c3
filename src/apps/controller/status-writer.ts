/**
 * Writes statuses beside the resizes, not between them: what is told of a pod while an earlier word
 * waits to be written takes its place, so a rush of resizes costs fewer statuses, and delays none.
 */
import { fieldManagers } from '../../apis/names.ts'
import {
  type PodAllocation,
  podAllocations,
  type PodAllocationStatus,
} from '../../apis/pod-allocation.ts'
import type { Millis } from '../../core/units.ts'
import type { Clock } from '../../ports/clock.ts'
import { isReason, type Kube } from '../../ports/kube.ts'
import type { Log } from '../../ports/log.ts'
import { runReconciler } from '../../runtime/reconcile.ts'
import { isOlder } from '../../runtime/store-version.ts'
import { keyOf } from '../../runtime/store.ts'
import { type QueueOptions, workQueue } from '../../runtime/work-queue.ts'
import type { Outcome } from './outcome.ts'
import { type News, nextStatus } from './status.ts'

export type StatusWriter = {
  /** Neither waits nor throws. */
  readonly say: (allocation: PodAllocation, outcome: Outcome) => void
  readonly forget: (key: string) => void
  /** Until the signal is aborted. */
  readonly run: () => Promise<void>
}

export type StatusPorts = {
  readonly kube: Pick<Kube, 'patch'>
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
  readonly retries?: Pick<QueueOptions, 'backoff' | 'bucket'>
  readonly allocationOf: (key: string) => PodAllocation | undefined
  /** Of what was written, when it says something new. */
  readonly tell: (allocation: PodAllocation, outcome: Outcome) => void
}

/** Few, so that they hardly stand in the way of those who wait for the same budget. */
const WORKERS = 4
/** Numbers in a message change at every look; that alone is not worth more writes than this. */
const WORDS_MILLIS = 30_000

type Written = { readonly allocation: PodAllocation; readonly at: Millis }

export function createStatusWriter(ports: StatusPorts): StatusWriter {
  const { kube, clock, log, signal, retries, allocationOf, tell } = ports
  const queue = workQueue({ clock, ...retries })
  const waiting = new Map<string, News>()
  /** What the server answered, which the cache may not show yet. */
  const written = new Map<string, Written>()

  /** Undefined when the one that it is about is gone. */
  function newestOf(key: string, { allocation }: News): PodAllocation | undefined {
    const cached = allocationOf(key)
    if (cached?.metadata.uid !== allocation.metadata.uid) return undefined
    const own = written.get(key)?.allocation
    const isNewer =
      own?.metadata.uid === cached?.metadata.uid &&
      isOlder(cached?.metadata.resourceVersion ?? '', own?.metadata.resourceVersion ?? '')
    return isNewer ? own : cached
  }

  const isGone = (key: string, { metadata }: PodAllocation): boolean =>
    allocationOf(key)?.metadata.uid !== metadata.uid

  async function write(key: string, call: AbortSignal): Promise<void> {
    const news = waiting.get(key)
    if (news === undefined) return
    waiting.delete(key)
    const newest = newestOf(key, news)
    if (newest === undefined) return
    const before = newest.status ?? {}
    const status = nextStatus(before, news, clock.wall())
    const change = changeFrom(before, status)
    const isRecent = clock.now() - (written.get(key)?.at ?? -Infinity) < WORDS_MILLIS
    if (change === 'none' || (change === 'words' && isRecent)) return
    try {
      const answer = await patchStatus(kube, newest, { before, status, signal: call })
      if (isGone(key, newest)) return // nothing is told, nor kept, of what is no more
      written.set(key, { allocation: answer, at: clock.now() })
    } catch (error) {
      if (isReason(error, 'NotFound') || isOfAnother(error) || isGone(key, newest)) return
      waiting.set(key, joined(news, waiting.get(key)))
      throw error
    }
    const isNews = before.reason !== status.reason || before.phase !== status.phase
    if (isNews || before.lastAppliedTime !== status.lastAppliedTime) {
      tell(news.allocation, news.outcome)
    }
  }

  return {
    say: (allocation, outcome) => {
      const key = keyOf(allocation)
      const news: News = {
        allocation,
        outcome,
        attempts: outcome.attempted ? 1 : 0,
        attemptedAt: outcome.attempted ? clock.wall() : undefined,
      }
      const before = waiting.get(key)
      waiting.set(key, before === undefined ? news : joined(before, news))
      queue.add(key)
    },
    forget: (key) => {
      waiting.delete(key)
      written.delete(key)
    },
    run: async () =>
      runReconciler({ queue, workers: WORKERS, clock, log, signal, reconcile: write }),
  }
}

const isOfAnother = (error: unknown): boolean =>
  isReason(error, 'Invalid') && error.causes.some(({ field }) => field === 'metadata.uid')

/** The later one counts, with what was tried before it. */
function joined(first: News, then: News | undefined): News {
  if (then === undefined) return first
  return {
    ...then,
    attempts: first.attempts + then.attempts,
    attemptedAt: then.attemptedAt ?? first.attemptedAt,
  }
}

type Rewrite = {
  readonly before: PodAllocationStatus
  readonly status: PodAllocationStatus
  readonly signal: AbortSignal
}

/** The UID keeps it from another one of the same name; in a merge patch null takes a field away. */
async function patchStatus(
  kube: Pick<Kube, 'patch'>,
  { metadata: { namespace = '', name = '', uid } }: PodAllocation,
  { before, status, signal }: Rewrite,
): Promise<PodAllocation> {
  const gone = Object.keys(before).filter((field) => !(field in status))
  const cleared = Object.fromEntries(gone.map((field) => [field, null]))
  const body = { metadata: { uid }, status: { ...cleared, ...status } }
  const place = { namespace, name, subresource: 'status' } as const
  const options = { signal, purpose: 'status', fieldManager: fieldManagers.controller } as const
  return kube.patch(podAllocations, place, { type: 'merge', body }, options)
}

function changeFrom(
  before: PodAllocationStatus,
  status: PodAllocationStatus,
): 'none' | 'words' | 'facts' {
  if (sorted(before) === sorted(status)) return 'none'
  return sorted(before, 'message') === sorted(status, 'message') ? 'words' : 'facts'
}

/** The server orders keys in another way than we do. */
const sorted = (value: unknown, without?: string): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(
          Object.entries(inner)
            .filter(([key]) => key !== without)
            .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        )
      : inner,
  )
