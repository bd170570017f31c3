/**
 * An orderly end. The first signal that would end the process aborts `signal`, so that loops stop taking
 * up work; then what was registered is stopped, the last registered first, one after the other, within the
 * grace. A second signal exits at once.
 */
import { millis } from '../core/units.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

/** Ends when all is done; `signal` is aborted when the grace is over. */
export type Stop = (signal: AbortSignal) => void | Promise<void>

export type Shutdown = {
  /** Aborted when the end begins. */
  readonly signal: AbortSignal
  /** What is registered later is stopped earlier: it may rest on what came before. */
  readonly onStop: (name: string, stop: Stop) => void
  /** Begins the end from within, such as when the lease is lost. */
  readonly begin: (reason: string, exitCode: number) => void
  /** The code to exit with, once all is stopped or the grace is over. */
  readonly finished: Promise<number>
}

export type ShutdownOptions = {
  readonly clock: Clock
  readonly log: Log
  /** Milliseconds for all stops together; below the pod's terminationGracePeriodSeconds. */
  readonly grace: number
  readonly process: {
    readonly on: (signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void) => unknown
    readonly exit: (code: number) => void
  }
}

/**
 * All that a person, a terminal that closes, a manager of services or a limit of CPU time sends to end a
 * process, with the code by which a shell shows one that it ended. SIGABRT is for whoever wants a dump.
 */
const exitCodes = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGQUIT: 131,
  SIGUSR2: 140,
  SIGALRM: 142,
  SIGTERM: 143,
  SIGXCPU: 152,
  SIGPWR: 158,
} as const satisfies Partial<Record<NodeJS.Signals, number>>
const unfinished = 1

export function prepareShutdown({ clock, log, grace, process }: ShutdownOptions): Shutdown {
  const begun = new AbortController()
  const stops: { readonly name: string; readonly stop: Stop }[] = []
  let finish: (code: number) => void
  const finished = new Promise<number>((resolve) => (finish = resolve))

  const begin = (reason: string, exitCode: number) => {
    if (begun.signal.aborted) return
    log('info', 'stopping', { reason })
    begun.abort(new Error(`stopping: ${reason}`))
    void stopAll(exitCode).then(finish)
  }

  async function stopAll(exitCode: number): Promise<number> {
    const start = clock.now()
    const over = new AbortController()
    const ended = new AbortController()
    const deadline = clock.sleep(grace, ended.signal).then(() => over.abort())
    let code = exitCode
    for (const { name, stop } of stops.toReversed()) {
      const isDone = run(stop, over.signal).then(
        () => true,
        (error: unknown) => {
          log('error', 'stopping a part failed', { part: name, error })
          code = unfinished
          return true
        },
      )
      if (await Promise.race([isDone, deadline.then(() => false)])) continue
      log('error', 'a part did not stop in time', { part: name, graceMs: grace })
      code = unfinished
    }
    ended.abort()
    log('info', 'stopped', { afterMs: millis(clock.now() - start) })
    return code
  }

  for (const [name, code] of Object.entries(exitCodes)) {
    process.on(name as NodeJS.Signals, () => {
      if (begun.signal.aborted) process.exit(code)
      else begin(name, 0)
    })
  }
  return {
    signal: begun.signal,
    onStop: (name, stop) => stops.push({ name, stop }),
    begin,
    finished,
  }
}

/** A throw on the way to the promise counts as its failure. */
const run = async (stop: Stop, signal: AbortSignal): Promise<void> => stop(signal)
