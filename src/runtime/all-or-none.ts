import { setMaxListeners } from 'node:events'

/**
 * Waits for parts of one work that run side by side. When one fails, the others are stopped and
 * waited for before that is told: nothing of it goes on behind the back of who thinks that it ended.
 */
export async function allOrNone(
  parts: readonly Promise<unknown>[],
  stop: (why: unknown) => void,
): Promise<void> {
  const failures: unknown[] = []
  await Promise.all(
    parts.map(async (part) =>
      part.catch((error: unknown) => {
        failures.push(error)
        stop(error)
      }),
    ),
  )
  if (failures.length > 0) throw failures[0]
}

/** A signal that is aborted with another, or by `stop`; any number may listen to it. */
export function stoppable(given: AbortSignal): {
  readonly signal: AbortSignal
  readonly stop: (why: unknown) => void
} {
  const own = new AbortController()
  const signal = AbortSignal.any([given, own.signal])
  setMaxListeners(0, signal)
  return { signal, stop: (why) => own.abort(why) }
}
