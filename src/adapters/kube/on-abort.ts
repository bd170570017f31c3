import { setMaxListeners } from 'node:events'

/** Calls `then` when the signal is aborted, at once if it is; the result takes that back. */
export function onAbort(signal: AbortSignal | undefined, then: () => void): () => void {
  if (signal === undefined) return () => {}
  if (signal.aborted) {
    then()
    return () => {}
  }
  setMaxListeners(0, signal) // one signal may serve hundreds of requests at a time
  signal.addEventListener('abort', then, { once: true })
  return () => signal.removeEventListener('abort', then)
}

export const reasonOf = (signal: AbortSignal): Error =>
  signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason))

/** Waits for `work`, which goes on for others, no longer than until the abort. */
export async function untilAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  let forget = () => {}
  const aborted = new Promise<never>((_, reject) => {
    forget = onAbort(signal, () => reject(reasonOf(signal)))
  })
  return Promise.race([work, aborted]).finally(forget)
}
