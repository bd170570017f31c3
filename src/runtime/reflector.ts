/**
 * Keeps a store equal to what the server has: LIST, then WATCH from the list's version, resumed at
 * the last version seen for as long as the server remembers it, else LIST again.
 *
 *   the watch ends                     watch on from the last event or bookmark
 *   it breaks, stalls, 429, 500, 503   the same, after a pause that grows
 *   410, also as an ERROR event        list again: the server has forgotten our version
 *   three other refusals in a row      list again: perhaps it cannot serve our version
 *   a bookmark older than our version  list again: the server's storage was put back
 */
import type { Keep } from '../apis/keep.ts'
import type { KubeObject, Resource } from '../apis/object.ts'
import type { Random } from '../core/random.ts'
import type { Millis } from '../core/units.ts'
import type { Clock } from '../ports/clock.ts'
import { ApiError, type Kube, type Selection, type WatchEvent } from '../ports/kube.ts'
import type { Log } from '../ports/log.ts'
import { createBackoff } from './reflector-backoff.ts'
import { listAll } from './reflector-list.ts'
import { watchOnce } from './reflector-watch.ts'
import { isOlder } from './store-version.ts'
import { type Entry, keyOf } from './store.ts'

/** For metrics, read when asked for. */
export type ReflectorCounts = {
  lists: number
  /** Lists because a watch could not go on. */
  relists: number
  watches: number
  events: number
  bookmarks: number
  errors: number
  /** When the last list was complete; its distance from now is not a lag while a watch is open. */
  listedAt: Millis | undefined
  /** When the last list, event or bookmark came: the cache was right then. */
  heardAt: Millis | undefined
}

export type Reflection<T extends KubeObject, P> = {
  readonly kube: Kube
  readonly resource: Resource<T>
  readonly selection: Selection
  readonly keep: Keep
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly signal: AbortSignal
  readonly pageSize: number
  /** The server is asked to end a watch after this long to twice as long. */
  readonly watchTimeoutSeconds: number
  /** A watch without any event or bookmark for so long is given up. */
  readonly idleTimeoutMs: number
  readonly counts: ReflectorCounts
  /** Undefined for an object that cannot be read: it counts as absent. */
  readonly read: (object: T) => Entry<P> | undefined
  readonly set: (key: string, entry: Entry<P>) => void
  readonly remove: (key: string, version: string) => void
  readonly replace: (
    entries: ReadonlyMap<string, Entry<P>>,
    options: { rolledBack: boolean },
  ) => void
  readonly onListed: () => void
}

/** A version that the server refused so often is given up. */
const mostRefusals = 3
/** A watch that the server ends within this time without an event counts as a failure (client-go). */
const shortWatch = 1000

class HistoryWentBack extends Error {}

/** Ends only when the signal is aborted. */
export async function reflect<T extends KubeObject, P>(on: Reflection<T, P>): Promise<void> {
  const retry = createBackoff(on.random)
  let position: string | undefined
  while (!on.signal.aborted) {
    position = await list(on, position)
    if (position !== undefined) position = await follow(on, position, retry)
  }
}

/** The version of the list; undefined when stopped. */
async function list<T extends KubeObject, P>(
  on: Reflection<T, P>,
  seen: string | undefined,
): Promise<string | undefined> {
  const retry = createBackoff(on.random)
  for (let older = 0; !on.signal.aborted;) {
    const listed = await listAll(on, async (error) => pause(on, { retry, error }))
    if (listed === undefined) return undefined
    const rolledBack = seen !== undefined && isOlder(listed.version, seen)
    // One such answer is a mistake; several say that the storage was restored from a backup.
    if (rolledBack && (older += 1) < mostRefusals) {
      const error = new Error(`listing ${on.resource.plural}: version went back from ${seen}`)
      await pause(on, { retry, error })
      continue
    }
    on.counts.lists += 1
    on.counts.listedAt = on.counts.heardAt = on.clock.now()
    on.replace(listed.entries, { rolledBack })
    on.onListed()
    return listed.version
  }
  return undefined
}

/** Watches on and on; gives the last version seen when only a list can help. */
async function follow<T extends KubeObject, P>(
  on: Reflection<T, P>,
  from: string,
  retry: ReturnType<typeof createBackoff>,
): Promise<string> {
  let position = from
  for (let refusals = 0; !on.signal.aborted;) {
    const start = on.clock.now()
    let heard = false
    let error: unknown
    on.counts.watches += 1
    try {
      await watchOnce(on, position, (event) => {
        position = take(on, event, position)
        heard = true
        on.counts.heardAt = on.clock.now()
      })
      if (heard || on.clock.now() - start >= shortWatch) {
        refusals = 0
        retry.reset()
        continue
      }
      error = new Error(`watching ${on.resource.plural}: the server ended the watch at once`)
    } catch (thrown) {
      error = thrown
    }
    if (heard) {
      refusals = 0
      retry.reset()
    }
    refusals = isRefusal(error) ? refusals + 1 : 0
    await pause(on, { retry, error })
    if (isExpired(error) || error instanceof HistoryWentBack || refusals >= mostRefusals) break
  }
  if (!on.signal.aborted) on.counts.relists += 1
  return position
}

/** Applies an event and gives the position after it. */
function take<T extends KubeObject, P>(
  on: Reflection<T, P>,
  event: WatchEvent<T>,
  position: string,
): string {
  if (event.type === 'BOOKMARK') {
    on.counts.bookmarks += 1
    if (isOlder(event.resourceVersion, position)) {
      throw new HistoryWentBack(
        `watching ${on.resource.plural}: got a bookmark of version ${event.resourceVersion} after ${position}`,
      )
    }
    return event.resourceVersion || position
  }
  on.counts.events += 1
  const version = event.object.metadata.resourceVersion ?? position
  if (isOlder(version, position)) return position // told again: a deleted object must not come back
  const entry = event.type === 'DELETED' ? undefined : on.read(event.object)
  if (entry === undefined) on.remove(keyOf(event.object), version)
  else on.set(keyOf(event.object), entry)
  return version
}

async function pause<T extends KubeObject, P>(
  { clock, counts, log, resource, signal }: Reflection<T, P>,
  { retry, error }: { retry: ReturnType<typeof createBackoff>; error: unknown },
): Promise<void> {
  if (signal.aborted) return
  const wait = retry.next(error)
  counts.errors += 1
  const said = error instanceof Error ? error.message : String(error)
  log('warn', 'reflecting', { resource: resource.plural, error: said, retryMs: Math.round(wait) })
  await clock.sleep(wait, signal)
}

const isExpired = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 410 || error.reason === 'Expired')

/** Too busy is no opinion about our version. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.code !== 429 && error.code !== 503
