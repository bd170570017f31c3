/**
 * What is known of the pods' latency, kept by a loop of its own, so that whoever reads it never
 * waits: not for a slow Prometheus, not for one that is away. One question at a time.
 *
 * An answer replaces all that was known. Without one the values age, and are dropped when too old.
 */
import type { Latency } from '../../core/guardrail/signals.ts'
import { keyOfPod, type PodName } from '../../core/pod-name.ts'
import type { Random } from '../../core/random.ts'
import type { Clock } from '../../ports/clock.ts'
import type { LatencySource } from '../../ports/latency.ts'
import type { Log } from '../../ports/log.ts'
import { backoffAfter, jittered } from '../../runtime/backoff.ts'

export type Latencies = {
  /** At once: the last known one and its age; undefined if there is none, or none young enough. */
  readonly of: (pod: PodName) => Omit<Latency, 'targetMillis'> | undefined
  /** Resolves after an abort. */
  readonly stopped: Promise<void>
}

/** What became of a question, or of values that were told. */
export type LatencyNews = 'answered' | 'failed' | 'stale' | 'unusable'

export type LatencyNeeds = {
  readonly source: LatencySource
  /** Those that have a target; nothing is asked while there are none. */
  readonly pods: () => readonly PodName[]
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly count: (news: LatencyNews, by: number) => void
}

export type LatencyOptions = {
  /** From question to question. */
  readonly intervalMillis: number
  /** Older values are dropped. */
  readonly oldestMillis: number
}

const LONGEST_WAIT_MILLIS = 30_000
/** So that the agents of a cluster do not all come back at one moment. */
const JITTER = 1.5

type Known = { readonly askedAt: number; readonly p99Millis: ReadonlyMap<string, number> }
const NOTHING: Known = { askedAt: 0, p99Millis: new Map() }

export function watchLatencies(
  { source, pods, clock, random, log, count }: LatencyNeeds,
  { intervalMillis, oldestMillis }: LatencyOptions,
  signal: AbortSignal,
): Latencies {
  let known = NOTHING
  let failures = 0

  const dropStale = (): void => {
    if (known.p99Millis.size === 0 || clock.now() - known.askedAt <= oldestMillis) return
    count('stale', known.p99Millis.size)
    known = NOTHING
  }

  const ask = async (): Promise<void> => {
    const askedAt = clock.now()
    try {
      const wanted = pods()
      if (wanted.length === 0) {
        known = NOTHING
        return
      }
      const { p99Millis, unusable } = await source.read(wanted, signal)
      known = { askedAt, p99Millis }
      count('answered', 1)
      count('unusable', unusable)
      if (failures > 0) log('info', 'latency known again', { failures })
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      failures += 1
      count('failed', 1)
      dropStale()
      log(failures === 1 ? 'warn' : 'debug', 'latency not known', { error })
    }
  }

  const waitMillis = (): number => {
    if (failures === 0) return intervalMillis
    const limits = { first: intervalMillis, longest: LONGEST_WAIT_MILLIS }
    return jittered(backoffAfter(limits, failures), JITTER, random)
  }

  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      await ask()
      await clock.sleep(waitMillis(), signal)
    }
  }

  return {
    of: (pod) => {
      dropStale()
      const p99Millis = known.p99Millis.get(keyOfPod(pod))
      if (p99Millis === undefined) return undefined
      return { p99Millis, ageMillis: clock.now() - known.askedAt }
    },
    stopped: loop(),
  }
}
