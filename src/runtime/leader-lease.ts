/**
 * One candidate's view of a Lease, with client-go's rules. A lease has expired when our own clock has
 * not seen it change for as long as its holder asked for; the times written in it are for people, so
 * clocks of different machines need only run at the same speed. The server refuses every write that
 * is not based on the version we saw, so of two that find it expired one gets it.
 *
 * Why two cannot lead at once: a holder counts from the moment it *began* its last good write and
 * stops after `renewDeadline`; the others count from when they *received* that write, which is later,
 * and wait for `leaseDuration`, which is longer. (Deleting the Lease by hand breaks this.)
 */
import { leases, microTime, type Lease } from '../apis/lease.ts'
import type { Millis } from '../core/units.ts'
import type { Clock } from '../ports/clock.ts'
import { isReason, type Kube } from '../ports/kube.ts'
import { within } from './within.ts'

/** In milliseconds. */
export type LeaderTiming = {
  readonly leaseDuration: number
  readonly renewDeadline: number
  /** Between two tries. */
  readonly retryPeriod: number
}

export type LeasePlace = { readonly namespace: string; readonly name: string }

/** `since` is the moment from which the holder may count: the start of the request. */
export type Standing =
  | { readonly held: true; readonly since: Millis }
  | { readonly held: false; readonly holder: string }

/** Both give up after so many milliseconds. */
export type LeaseHold = {
  /** Acquires the lease or renews it. Throws when the outcome is unknown, or someone was faster. */
  readonly hold: (timeout: number) => Promise<Standing>
  /** Leaves the lease to the next, if it is ours. */
  readonly release: (timeout: number) => Promise<void>
  /** When the lease of another will have expired if it does not change. */
  readonly expiresAt: () => number
}

export function leaseHold(
  to: { readonly kube: Kube; readonly clock: Clock },
  place: LeasePlace,
  wish: { readonly identity: string; readonly leaseDuration: number },
): LeaseHold {
  const { kube, clock } = to
  const { identity } = wish
  // Whole seconds in the API; rounding down would let others take it too early.
  const leaseDurationSeconds = Math.ceil(wish.leaseDuration / 1000)
  let seen: { readonly lease: Lease; readonly at: Millis } | undefined

  const holderOf = ({ spec }: Lease) => spec?.holderIdentity ?? ''
  const durationOf = ({ spec }: Lease) =>
    1000 * (spec?.leaseDurationSeconds ?? leaseDurationSeconds)
  const expiresAt = () => (seen ? seen.at + durationOf(seen.lease) : 0)

  /** An attempt that was given up must not touch what a later one learns. */
  const see = (lease: Lease, signal: AbortSignal) => {
    signal.throwIfAborted()
    if (seen?.lease.metadata.resourceVersion === lease.metadata.resourceVersion) return
    seen = { lease, at: clock.now() }
  }

  const look = async (signal: AbortSignal): Promise<Lease | undefined> => {
    try {
      const found = await kube.get(leases, place, { signal, purpose: 'lease' })
      see(found, signal)
      return found
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error
      signal.throwIfAborted()
      seen = undefined
      return undefined
    }
  }

  const write = async (old: Lease | undefined, signal: AbortSignal): Promise<Standing> => {
    const since = clock.now()
    const now = microTime(clock.wall())
    const ours = old !== undefined && holderOf(old) === identity
    const spec = {
      ...old?.spec,
      holderIdentity: identity,
      leaseDurationSeconds,
      acquireTime: ours ? (old.spec?.acquireTime ?? now) : now,
      renewTime: now,
      leaseTransitions: old ? (old.spec?.leaseTransitions ?? 0) + (ours ? 0 : 1) : 0,
    }
    const written = old
      ? await kube.update(leases, { ...old, spec }, { signal, purpose: 'lease' })
      : await kube.create(leases, { metadata: place, spec }, { signal, purpose: 'lease' })
    see(written, signal)
    return { held: true, since }
  }

  const hold = async (signal: AbortSignal): Promise<Standing> => {
    if (seen && holderOf(seen.lease) === identity) {
      try {
        return await write(seen.lease, signal)
      } catch (error) {
        // Perhaps our own earlier write, whose answer was lost: look.
        if (!isReason(error, 'Conflict') && !isReason(error, 'NotFound')) throw error
        signal.throwIfAborted()
      }
    }
    const found = await look(signal)
    const holder = found ? holderOf(found) : ''
    const free = holder === '' || holder === identity || clock.now() >= expiresAt()
    return free ? write(found, signal) : { held: false, holder }
  }

  const release = async (signal: AbortSignal): Promise<void> => {
    const found = await look(signal)
    if (!found || holderOf(found) !== identity) return
    const now = microTime(clock.wall())
    const spec = {
      ...found.spec,
      holderIdentity: '',
      leaseDurationSeconds: 1,
      acquireTime: now,
      renewTime: now,
    }
    await kube.update(leases, { ...found, spec }, { signal, purpose: 'lease' })
  }

  return {
    hold: async (timeout) => within(clock, { timeout }, hold),
    release: async (timeout) => within(clock, { timeout }, release),
    expiresAt,
  }
}
