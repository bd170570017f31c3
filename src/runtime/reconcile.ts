import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { LeadershipLost, messageOf } from './leader-term.ts'
import type { WorkQueue } from './work-queue.ts'

export type ReconcilerOptions = {
  readonly queue: WorkQueue
  /** How many keys are in work at once. */
  readonly workers: number
  /** Brings the object of the key to where it should be; safe to repeat. */
  readonly reconcile: (key: string, signal: AbortSignal) => Promise<Requeue | void>
  readonly clock: Clock
  readonly log: Log
  readonly metrics?: { readonly reconciled?: (outcome: Outcome, duration: number) => void }
  readonly signal: AbortSignal
  /** Milliseconds after which a call's signal is aborted. */
  readonly timeout?: number
  /** Milliseconds that calls have to end by themselves after `signal` is aborted. */
  readonly grace?: number
}
/** To look again after so many milliseconds, even if nothing changes. */
export type Requeue = { readonly requeueAfter?: number }
export type Outcome = 'done' | 'requeued' | 'failed'

/** Longer than any single request may take with its retries. */
const usualTimeout = 60_000
/** Less than the 30 s that Kubernetes gives a pod to end. */
const usualGrace = 20_000
/** For calls whose signal is aborted to let go. */
const lastWait = 1000

/**
 * Reconciles the queue's keys until the signal is aborted, then shuts the queue down and gives calls
 * in work their grace, or none when leadership was lost. What fails is logged and tried again with
 * backoff. A call that outlives its timeout keeps its key: two at once on one object are worse.
 */
export async function runReconciler(options: ReconcilerOptions): Promise<void> {
  const { queue, workers, clock, log, signal, grace = usualGrace } = options
  const inWork = new Set<AbortController>()

  const work = async () => {
    for (let key = await queue.get(); key !== undefined; key = await queue.get()) {
      const call = new AbortController()
      inWork.add(call)
      await attempt(options, key, call)
      inWork.delete(call)
      queue.done(key)
    }
  }

  const shutDown = () => queue.shutdown()
  if (signal.aborted) shutDown()
  signal.addEventListener('abort', shutDown)
  const ended = new AbortController()
  const working = Promise.all(Array.from({ length: workers }, work)).finally(() => ended.abort())
  try {
    await Promise.race([working, aborted(signal)])
    const patience = signal.reason instanceof LeadershipLost ? 0 : grace
    if (patience > 0) await clock.sleep(patience, ended.signal)
    for (const call of inWork) call.abort(signal.reason)
    await clock.sleep(lastWait, ended.signal)
    if (inWork.size > 0) log('error', 'leaving reconciles behind', { keys: queue.inWork() })
    else await working
  } finally {
    signal.removeEventListener('abort', shutDown)
  }
}

async function attempt(options: ReconcilerOptions, key: string, call: AbortController) {
  const { queue, reconcile, clock, log, metrics, timeout = usualTimeout } = options
  const startedAt = clock.now()
  const tell = (outcome: Outcome) => metrics?.reconciled?.(outcome, clock.now() - startedAt)
  const ended = new AbortController()
  const limit = async () => {
    await clock.sleep(timeout, ended.signal)
    if (ended.signal.aborted) return
    log('warn', 'reconcile overdue', { key, timeoutMs: timeout })
    call.abort(new Error(`reconciling ${key}: not done after ${timeout} ms`))
  }
  void limit()
  try {
    const { requeueAfter } = (await reconcile(key, call.signal)) ?? {}
    queue.forget(key)
    if (requeueAfter !== undefined) queue.addAfter(key, requeueAfter)
    tell(requeueAfter === undefined ? 'done' : 'requeued')
  } catch (error) {
    queue.addRateLimited(key)
    tell('failed')
    log('error', 'reconcile failed', { key, retries: queue.retries(key), error: told(error) })
  } finally {
    ended.abort()
  }
}

/** A mistake of ours comes with its place in the code. */
const told = (error: unknown): string =>
  error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
    ? (error.stack ?? error.message)
    : messageOf(error)

const aborted = async (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
