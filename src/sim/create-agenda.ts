/**
 * Simulated time, run in one of two ways: as fast as the machine allows, where the clock jumps to the
 * next task once all is idle, or at a factor of real time (1 is real time), where tasks wait for it, and
 * it for them.
 */
import { performance } from 'node:perf_hooks'

import { millis } from '../core/units.ts'
import type { Clock } from '../ports/clock.ts'
import type { Agenda } from './agenda.ts'
import { type Task, TaskHeap } from './task-heap.ts'

export type Speed = number | 'max'

export type RunningAgenda = Agenda & {
  /** Ends when `until` is reached (simulated milliseconds since the start) or the signal is aborted. */
  readonly run: (at: { readonly until?: number; readonly signal?: AbortSignal }) => Promise<void>
  /** Tasks run so far. */
  readonly count: () => number
}

/** Signals and sockets get their turn at least this often (real milliseconds). */
const turn = 10
/** Where the machine is too slow (real milliseconds), time goes slower: nothing is done too late. */
const mostLate = 50
/** The longest that a Node timer can wait is 2^31 ms. */
const longestWait = 60_000

export function createAgenda(options: {
  readonly speed: Speed
  /** Simulated milliseconds since 1970 at the start. */
  readonly startsAt: number
}): RunningAgenda {
  const { speed, startsAt } = options
  const later = new TaskHeap()
  let queue: (() => void)[] = []
  let order = 0
  let count = 0
  let reached = 0
  let promises = false
  /** Ends the wait of `run`. */
  let wake = () => {}
  const began = performance.now()

  /** Simulated milliseconds by which real time went ahead, and which are not made up for. */
  let lost = 0
  const pace = (factor: number) => {
    const latest = (later.first()?.moment ?? Infinity) + mostLate * factor
    const paced = (performance.now() - began) * factor - lost
    lost += Math.max(0, paced - latest)
    return Math.max(reached, Math.min(paced, latest))
  }
  const now = () => (reached = speed === 'max' ? reached : pace(speed))

  const soon = (task: () => void) => {
    if (queue.push(task) === 1) wake()
  }

  const at = (moment: number, run: () => void) => {
    order += 1
    const task: Task = { moment: Math.max(moment, reached), order, run }
    later.add(task)
    if (later.first() === task) wake()
    return () => (task.run = undefined)
  }

  /** All that is queued for this moment, and what comes of it. */
  const drain = () => {
    while (queue.length > 0) {
      const tasks = queue
      queue = []
      for (const task of tasks) task()
      count += tasks.length
    }
  }

  const runNext = (task: Task) => {
    later.removeFirst()
    reached = Math.max(reached, task.moment)
    count += 1
    const { run } = task
    task.run = undefined // what is crossed out later is not kept
    run?.()
    drain()
  }

  const runAtOnce = async (until: number, signal: AbortSignal | undefined) => {
    let breath = performance.now()
    for (;;) {
      drain()
      if (promises || performance.now() - breath > turn) {
        await idle()
        breath = performance.now()
        if (queue.length > 0) continue
      }
      if (signal?.aborted === true) return
      const task = later.first()
      if (task === undefined && until === Infinity) {
        await waitFor(longestWait, signal) // only somebody from outside can bring more
        continue
      }
      if (task === undefined || task.moment > until) break
      runNext(task)
    }
    reached = until
  }

  const runPaced = async (until: number, { factor, signal }: Pace) => {
    let breath = performance.now()
    for (;;) {
      drain()
      if (signal?.aborted === true) return
      const moment = Math.min(now(), until)
      const task = later.first()
      const isDue = task !== undefined && task.moment <= moment
      if (isDue) runNext(task)
      else if (moment === until) return
      else await waitFor((Math.min(task?.moment ?? Infinity, until) - now()) / factor, signal)
      if (isDue && !promises && performance.now() - breath < turn) continue
      if (isDue) await idle()
      breath = performance.now()
    }
  }

  const waitFor = async (duration: number, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve) => {
      const end = () => {
        wake = () => {}
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, Math.min(duration, longestWait))
      signal?.addEventListener('abort', end)
      wake = end
    })

  const sleep: Clock['sleep'] = async (duration, signal) => {
    promises = true
    return new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve()
        return
      }
      const end = () => {
        crossOut()
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const crossOut = at(now() + Math.max(0, duration), end)
      signal?.addEventListener('abort', end)
    })
  }

  return {
    now,
    wall: () => startsAt + Math.floor(now()),
    at,
    soon,
    clock: {
      now: () => millis(Math.floor(now())),
      wall: () => millis(startsAt + Math.floor(now())),
      sleep,
    },
    expectPromises: () => {
      promises = true
    },
    run: async ({ until = Infinity, signal }) => {
      // Whoever starts clients right after this comes before the first task, however fast the machine is.
      await idle()
      return speed === 'max'
        ? runAtOnce(until, signal)
        : runPaced(until, { factor: speed, ...(signal && { signal }) })
    },
    count: () => count,
  }
}

type Pace = { readonly factor: number; readonly signal?: AbortSignal }

/** A turn of the event loop: every promise that could settle has settled. */
const idle = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
