/**
 * What is to be done, as keys, with client-go's rules: a key waits at most once; one worker at a time
 * has it; added while in work, it waits again when that work is done, so no change is missed.
 *
 *   add a, add a                    a waits once
 *   add a, get a, add a, get        the second get waits until `done(a)`
 *   addAfter(a, 9), addAfter(a, 3)  a waits in 3 ms, once
 */
import type { Clock } from '../ports/clock.ts'
import { backoffAfter, type BackoffLimits } from './backoff.ts'
import { tokenBucket, type BucketLimits } from './token-bucket.ts'
import { delayKeys } from './work-queue-delay.ts'
import { createLine } from './work-queue-line.ts'

export type WorkQueue = {
  readonly add: (key: string) => void
  /** After so many milliseconds; the earlier of two moments wins. */
  readonly addAfter: (key: string, duration: number) => void
  /** After the key's own backoff and the bucket that all retries share, whichever is longer. */
  readonly addRateLimited: (key: string) => void
  /** Ends the key's backoff: it succeeded, or nobody will try again. */
  readonly forget: (key: string) => void
  /** How often the key was added with backoff since it was last forgotten. */
  readonly retries: (key: string) => number
  /** The next key, which is the caller's until `done`; undefined after shutdown. */
  readonly get: () => Promise<string | undefined>
  readonly done: (key: string) => void
  /** Keys not in work are dropped, at once and from now on: who starts next lists everything anew. */
  readonly shutdown: () => void
  /** Shuts down and waits until no key is in work. */
  readonly drain: () => Promise<void>
  /** How many keys wait for a worker, without the delayed. */
  readonly length: () => number
  /** How long the longest unfinished key has waited and been in work, in milliseconds. */
  readonly oldestAge: () => number
  /** Keys in work, sorted. */
  readonly inWork: () => readonly string[]
}

export type QueueMetrics = {
  readonly depth?: (waiting: number) => void
  readonly added?: () => void
  readonly retried?: () => void
  /** Milliseconds between add and get. */
  readonly waited?: (duration: number) => void
  /** Milliseconds between get and done. */
  readonly worked?: (duration: number) => void
}

export type QueueOptions = {
  readonly clock: Clock
  readonly backoff?: BackoffLimits
  readonly bucket?: BucketLimits
  readonly metrics?: QueueMetrics
  /** Those come before all others that wait; asked whenever the key is added. */
  readonly isUrgent?: (key: string) => boolean
}

type Entry = {
  readonly key: string
  readonly addedAt: number
  startedAt: number | undefined
  againAt: number | undefined
  isUrgent: boolean
}

/** client-go's: a retry at once, then ever less often; in all, ten retries a second after 100. */
const usualBackoff: BackoffLimits = { first: 5, longest: 1_000_000 }
const usualBucket: BucketLimits = { perSecond: 10, burst: 100 }

export function workQueue({
  clock,
  backoff = usualBackoff,
  bucket = usualBucket,
  metrics = {},
  isUrgent = () => false,
}: QueueOptions): WorkQueue {
  const entries = new Map<string, Entry>()
  const failures = new Map<string, number>()
  const tokens = tokenBucket(bucket)
  /** An entry that became urgent is in both, and counts where it is found first. */
  const lines = { urgent: createLine<Entry>(), usual: createLine<Entry>() }
  let waiting = 0
  let working = 0
  let stopped = false
  let takers: ((key: string | undefined) => void)[] = []
  let drained: (() => void)[] = []

  const start = (entry: Entry): string => {
    working += 1
    entry.startedAt = clock.now()
    metrics.waited?.(entry.startedAt - entry.addedAt)
    return entry.key
  }

  const count = (by: 1 | -1) => {
    waiting += by
    metrics.depth?.(waiting)
  }

  const enqueue = (key: string, addedAt: number) => {
    const urgent = isUrgent(key)
    const entry: Entry = {
      key,
      addedAt,
      startedAt: undefined,
      againAt: undefined,
      isUrgent: urgent,
    }
    entries.set(key, entry)
    const taker = takers.shift()
    if (taker) {
      taker(start(entry))
      return
    }
    lines[urgent ? 'urgent' : 'usual'].push(entry)
    count(1)
  }

  const hurry = (entry: Entry) => {
    if (entry.startedAt !== undefined || entry.isUrgent || !isUrgent(entry.key)) return
    entry.isUrgent = true
    lines.urgent.push(entry)
  }

  const add = (key: string) => {
    const entry = entries.get(key)
    const known = entry && (entry.startedAt === undefined || entry.againAt !== undefined)
    if (stopped) return
    if (known === true) {
      hurry(entry)
      return
    }
    metrics.added?.()
    if (entry) entry.againAt = clock.now()
    else enqueue(key, clock.now())
  }

  const delays = delayKeys(clock, add)
  const addAfter = (key: string, duration: number) => {
    if (duration <= 0) add(key)
    else delays.add(key, duration)
  }

  const take = (): string | undefined => {
    for (const line of [lines.urgent, lines.usual]) {
      for (let entry = line.take(); entry !== undefined; entry = line.take()) {
        if (entry.startedAt !== undefined) continue // it was urgent
        count(-1)
        return start(entry)
      }
    }
    return undefined
  }

  const shutdown = () => {
    if (stopped) return
    stopped = true
    delays.stop()
    for (const [key, { startedAt }] of entries) if (startedAt === undefined) entries.delete(key)
    for (const line of [lines.urgent, lines.usual]) line.clear()
    waiting = 0
    metrics.depth?.(0)
    for (const taker of takers) taker(undefined)
    takers = []
  }

  return {
    add,
    addAfter,
    addRateLimited: (key) => {
      if (stopped) return
      const count = (failures.get(key) ?? 0) + 1
      failures.set(key, count)
      metrics.retried?.()
      addAfter(key, Math.max(backoffAfter(backoff, count), tokens.reserve(clock.now())))
    },
    forget: (key) => void failures.delete(key),
    retries: (key) => failures.get(key) ?? 0,
    get: async () => {
      const key = take()
      if (key !== undefined || stopped) return key
      return new Promise((resolve) => takers.push(resolve))
    },
    done: (key) => {
      const entry = entries.get(key)
      if (entry?.startedAt === undefined) throw new Error(`finishing ${key}: it is not in work`)
      working -= 1
      entries.delete(key)
      metrics.worked?.(clock.now() - entry.startedAt)
      if (entry.againAt !== undefined && !stopped) enqueue(key, entry.againAt)
      if (working > 0) return
      for (const resolve of drained) resolve()
      drained = []
    },
    shutdown,
    drain: async () => {
      shutdown()
      if (working > 0) await new Promise<void>((resolve) => drained.push(resolve))
    },
    length: () => waiting,
    oldestAge: () => {
      const now = clock.now()
      let oldest = 0
      for (const { addedAt } of entries.values()) oldest = Math.max(oldest, now - addedAt)
      return oldest
    },
    inWork: () =>
      [...entries]
        .filter(([, { startedAt }]) => startedAt !== undefined)
        .map(([key]) => key)
        .toSorted(),
  }
}
