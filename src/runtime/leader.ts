/**
 * Runs work in one of several processes at a time: the one that holds a Lease. The rules, and why two
 * never lead at once, are in leader-lease.ts. With the usual timing a leader that dies is replaced
 * within 17.4 s and the time of two requests, one that shuts down within 2.4 s, and one that cannot
 * renew has stopped its work after 10 s.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

import { InvalidInput } from '../core/errors.ts'
import type { Random } from '../core/random.ts'
import type { Clock } from '../ports/clock.ts'
import type { Kube } from '../ports/kube.ts'
import type { Log } from '../ports/log.ts'
import { jittered } from './backoff.ts'
import { leaseHold, type LeaderTiming, type LeaseHold, type LeasePlace } from './leader-lease.ts'
import { LeadershipLost, messageOf, requestTimeout, runTerm } from './leader-term.ts'

export { LeadershipLost, type LeaderTiming, type LeasePlace }

export type LeaderOptions = {
  readonly kube: Kube
  readonly clock: Clock
  readonly log: Log
  readonly lease: LeasePlace
  readonly identity: string
  readonly timing?: LeaderTiming
  readonly random: Random
  /** Aborting it ends the candidacy or the lead, and then releases the lease. */
  readonly signal: AbortSignal
  /**
   * Its signal aborted with a `LeadershipLost` means stop at once; with any other reason, finish in
   * peace: the lease is renewed until `lead` ends.
   */
  readonly lead: (signal: AbortSignal) => Promise<void>
}

/** client-go's. */
export const usualTiming: LeaderTiming = {
  leaseDuration: 15_000,
  renewDeadline: 10_000,
  retryPeriod: 2000,
}
/** A candidate waits up to so many retry periods, so that not all ask at one moment. */
export const retryJitter = 1.2

/** No two processes have the same one, also on one host or after a restart. */
export const processIdentity = (): string => `${hostname()}_${randomUUID()}`

/**
 * Waits for the lease, then leads. Ends when `lead` ends, throwing what it threw, or when the signal
 * is aborted before. Throws `LeadershipLost` when the lease was lost, once `lead` has ended.
 */
export async function runAsLeader(options: LeaderOptions): Promise<void> {
  const { identity, signal, timing = usualTiming } = options
  checkTiming(timing)
  const place = `${options.lease.namespace}/${options.lease.name}`
  const log: Log = (level, message, fields) =>
    options.log(level, message, { lease: place, identity, ...fields })
  const lease = leaseHold(options, options.lease, {
    identity,
    leaseDuration: timing.leaseDuration,
  })
  const since = await acquire({ ...options, log, timing, lease })
  if (since === undefined) return
  log('info', 'lease acquired')
  let lost = false
  try {
    if (!signal.aborted) await runTerm({ ...options, log, timing, lease, since })
  } catch (error) {
    lost = error instanceof LeadershipLost
    throw error
  } finally {
    if (!lost) await release(lease, timing, log)
  }
}

type Candidacy = Omit<LeaderOptions, 'lease'> & {
  readonly lease: LeaseHold
  readonly timing: LeaderTiming
}

/** Returns when the request that got the lease began, or undefined when the signal was aborted. */
async function acquire({ clock, log, lease, timing, random, signal }: Candidacy) {
  let holder: string | undefined
  while (!signal.aborted) {
    try {
      // Not cut short by the signal: only its answer tells whether a request got the lease.
      const standing = await lease.hold(requestTimeout(timing))
      if (standing.held) return standing.since
      if (standing.holder !== holder)
        log('info', 'waiting for the lease', { holder: standing.holder })
      holder = standing.holder
    } catch (error) {
      log('warn', 'acquiring the lease', { error: messageOf(error) })
    }
    const period = jittered(timing.retryPeriod, retryJitter, random)
    const left = lease.expiresAt() - clock.now()
    await clock.sleep(left > 0 ? Math.min(left, period) : period, signal)
  }
  return undefined
}

async function release(lease: LeaseHold, timing: LeaderTiming, log: Log): Promise<void> {
  try {
    await lease.release(requestTimeout(timing))
    log('info', 'lease released')
  } catch (error) {
    log('warn', 'releasing the lease', { error: messageOf(error) })
  }
}

/** client-go's conditions: a leader must have stopped before another may start. */
function checkTiming({ leaseDuration, renewDeadline, retryPeriod }: LeaderTiming): void {
  const rises =
    retryPeriod > 0 && renewDeadline > retryPeriod * retryJitter && leaseDuration > renewDeadline
  if (rises) return
  throw new InvalidInput(
    `leader timing: expected leaseDuration > renewDeadline > ${retryJitter} x retryPeriod > 0, ` +
      `got ${leaseDuration}, ${renewDeadline} and ${retryPeriod} ms`,
  )
}
