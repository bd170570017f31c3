import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { LeaderTiming, LeaseHold } from './leader-lease.ts'

/** Another may lead soon: what was done as leader must stop at once. */
export class LeadershipLost extends Error {
  override readonly name = 'LeadershipLost'
}

/** Half the deadline, as in client-go, so that a request that hangs leaves time for another. */
export const requestTimeout = ({ renewDeadline }: LeaderTiming): number => renewDeadline / 2

/**
 * What was led may take so long to stop, less than a process has to shut down; what takes longer keeps
 * the lease until that expires, so that nobody else leads beside it sooner than the rules allow.
 */
const stopMillis = 15_000

export type Term = {
  readonly clock: Clock
  readonly log: Log
  readonly lease: LeaseHold
  readonly timing: LeaderTiming
  /** When the request that got us the lease began. */
  readonly since: number
  readonly signal: AbortSignal
  readonly lead: (signal: AbortSignal) => Promise<void>
}

/**
 * Runs `lead` and renews the lease until it has ended, also while it ends because of `signal`. Throws
 * `LeadershipLost` as well when it does not end in time: then the lease is not to be released.
 */
export async function runTerm({ clock, log, lease, timing, since, signal, lead }: Term) {
  const led = new AbortController()
  /** Aborted when `lead` has ended, or with the loss. */
  const over = new AbortController()
  let deadline = since + timing.renewDeadline

  const lose = (why: string) => {
    if (over.signal.aborted) return
    const lost = new LeadershipLost(`losing the lease: ${why}`)
    log('error', 'lease lost', { error: lost.message })
    led.abort(lost)
    over.abort(lost)
  }

  /** Ends the lead at the deadline, also while a renewal hangs. */
  const watchDeadline = async () => {
    while (!over.signal.aborted) {
      const left = deadline - clock.now()
      if (left > 0) await clock.sleep(left, over.signal)
      else lose(`not renewed for ${timing.renewDeadline} ms`)
    }
  }

  const renew = async () => {
    for (;;) {
      await clock.sleep(timing.retryPeriod, over.signal)
      const left = deadline - clock.now()
      // A process that was stopped for long wakes here as soon as for anything else.
      if (left <= 0) lose(`not renewed for ${timing.renewDeadline} ms`)
      if (over.signal.aborted) return
      try {
        const standing = await lease.hold(Math.min(left, requestTimeout(timing)))
        if (standing.held) deadline = standing.since + timing.renewDeadline
        else lose(`${standing.holder} took it`)
      } catch (error) {
        log('warn', 'renewing the lease', { error: messageOf(error) })
      }
    }
  }

  const ended = new AbortController()
  const runLead = async (): Promise<void> => {
    try {
      await lead(led.signal)
    } catch (error) {
      led.abort(error) // what it started may still listen
      throw error
    } finally {
      ended.abort()
    }
  }
  /** Ends with the lead, or throws when it was told to stop long ago. */
  const watchStop = async (): Promise<void> => {
    await eitherAborted(led.signal, ended.signal)
    await clock.sleep(stopMillis, ended.signal)
    if (ended.signal.aborted) return
    const seconds = stopMillis / 1000
    throw new LeadershipLost(
      `stopping what was led: not ended after ${seconds} s; the lease is left to expire`,
    )
  }

  const stop = () => led.abort(signal.reason)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  const renewing = Promise.all([watchDeadline(), renew()])
  const leading = runLead()
  try {
    await Promise.race([leading, watchStop().then(async () => leading)])
  } catch (error) {
    if (error instanceof LeadershipLost) throw error
    if (!(over.signal.reason instanceof LeadershipLost)) throw error
    log('warn', 'stopping what was led', { error: messageOf(error) })
  } finally {
    signal.removeEventListener('abort', stop)
    over.abort()
    await renewing
  }
  if (over.signal.reason instanceof LeadershipLost) throw over.signal.reason
}

const eitherAborted = async (...signals: readonly AbortSignal[]): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of signals) {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    }
  })

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
