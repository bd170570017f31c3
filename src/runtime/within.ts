import type { Clock } from '../ports/clock.ts'

/** Gives up after so many milliseconds; does not trust the work to end when told to. */
export async function within<T>(
  clock: Clock,
  { timeout, signal }: { readonly timeout: number; readonly signal?: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const overdue = new AbortController()
  const ended = new AbortController()
  const stop = (): void => overdue.abort(signal?.reason)
  if (signal?.aborted === true) stop()
  signal?.addEventListener('abort', stop)
  const limit = async () => {
    await clock.sleep(timeout, ended.signal)
    const error = new Error(`no answer for ${timeout} ms`)
    if (!ended.signal.aborted) overdue.abort(error)
    throw error
  }
  try {
    return await Promise.race([work(overdue.signal), limit()])
  } finally {
    signal?.removeEventListener('abort', stop)
    ended.abort()
  }
}
