/** Runs a bench that leaves nothing behind when SIGINT or SIGTERM ends it. */
export type UntilStopped = {
  readonly signal: AbortSignal
  /** Of a bench that goes on for minutes, on stderr. */
  readonly say: (line: string) => void
}

/** `what` is gone by then, in words. */
export async function untilStopped<Outcome>(
  what: string,
  run: (stopping: UntilStopped) => Promise<Outcome>,
): Promise<Outcome> {
  const stopped = new AbortController()
  const stop = () => stopped.abort()
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const say = (line: string) => console.error(line)
  try {
    return await run({ say, signal: stopped.signal })
  } catch (error) {
    if (!stopped.signal.aborted) throw error
    say(`stopped: ${what} of the bench are gone`)
    return process.exit(130)
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}
