import type { Keep } from '../apis/keep.ts'
import type { KubeObject, Resource } from '../apis/object.ts'
import type { Random } from '../core/random.ts'
import type { Clock } from '../ports/clock.ts'
import type { Kube, Selection, WatchEvent } from '../ports/kube.ts'

type Watching<T extends KubeObject> = {
  readonly kube: Kube
  readonly resource: Resource<T>
  readonly selection: Selection
  readonly keep: Keep
  readonly clock: Clock
  readonly random: Random
  readonly signal: AbortSignal
  readonly watchTimeoutSeconds: number
  readonly idleTimeoutMs: number
}

/** The server ends a watch at its timeout; one still open so much later has a dead peer. */
const margin = 10_000

/** One WATCH from its request to its end. Throws when it breaks or stalls, or `take` throws. */
export async function watchOnce<T extends KubeObject>(
  on: Watching<T>,
  resourceVersion: string,
  take: (event: WatchEvent<T>) => void,
): Promise<void> {
  const { kube, resource, selection, clock, random, signal, idleTimeoutMs } = on
  // Spread out, so that the watches of many processes do not all start again together.
  const timeoutSeconds = Math.floor(on.watchTimeoutSeconds * (1 + random()))
  const end = clock.now() + timeoutSeconds * 1000 + margin
  let heardAt = clock.now()
  let stalled = false

  const cut = new AbortController()
  const stop = () => cut.abort()
  signal.addEventListener('abort', stop)
  const guard = async () => {
    while (!cut.signal.aborted) {
      const left = Math.min(end, heardAt + idleTimeoutMs) - clock.now()
      if (left > 0) await clock.sleep(left, cut.signal)
      else {
        stalled = true
        cut.abort()
      }
    }
  }

  try {
    const query = { ...selection, resourceVersion, timeoutSeconds, allowBookmarks: true }
    const events = kube.watch(resource, query, { signal: cut.signal, keep: on.keep })
    void guard()
    for await (const event of events) {
      if (cut.signal.aborted) break
      heardAt = clock.now()
      take(event)
    }
  } catch (error) {
    if (!stalled) throw error
  } finally {
    cut.abort()
    signal.removeEventListener('abort', stop)
  }
  if (stalled) {
    const silence = Math.round((clock.now() - heardAt) / 1000)
    throw new Error(`watching ${resource.plural}: stalled, nothing came for ${silence} s`)
  }
}
