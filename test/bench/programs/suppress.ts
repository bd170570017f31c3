/**
 * Koordinator's CPU suppress, by quota: best-effort work gets what is left of 65 % of the node, at
 * the lowest weight.
 *
 * Method, once a second: capacity x 0.65 - used by services - used by the system; at least 2 ms of
 * each period; grows by a tenth of the node at most, shrinks at once; a change below 1 % is not made.
 * Reference: koordinator 1.8.0, koordlet's qosmanager/plugins/cpusuppress, policy cfsQuota.
 *
 *   cores  services  system  before      quota
 *   2      0.66      0.04    1.2     ->  0.6
 *   2      0         0       0.6     ->  0.8
 *   2      1.5       0       0.6     ->  0.02
 */
import { setTimeout as sleep } from 'node:timers/promises'

import { readMachine } from '../machine-use.ts'
import { sumOf } from '../statistics.ts'
import { isThere, setGroup, usageMicros } from './group.ts'

const THRESHOLD_RATIO = 0.65
const LEAST_CORES = 0.02
const GROWTH_RATIO = 0.1
const IGNORED_RATIO = 0.01
const everyMillis = 1000

export type Use = {
  readonly cores: number
  readonly services: number
  readonly system: number
}

export function suppress(before: number, { cores, services, system }: Use): number {
  const left = Math.max(LEAST_CORES, cores * THRESHOLD_RATIO - services - system)
  const next = Math.min(left, before + cores * GROWTH_RATIO)
  return Math.abs(next - before) < cores * IGNORED_RATIO ? before : next
}

export type Suppressed = {
  readonly services: readonly string[]
  readonly batch: string
  readonly cores: number
}

export function startSuppressing({ services, batch, cores }: Suppressed) {
  const stopped = new AbortController()
  const read = () => ({
    atMillis: performance.now(),
    services: sumOf(services.map(usageMicros)),
    batch: isThere(batch) ? usageMicros(batch) : 0,
    machine: readMachine().busyMicros,
  })
  const run = async () => {
    let quota = cores * THRESHOLD_RATIO
    for (let last = read(); ;) {
      await sleep(everyMillis, undefined, { signal: stopped.signal })
      const now = read()
      const coresOf = (micros: number) =>
        Math.max(0, micros) / 1000 / (now.atMillis - last.atMillis)
      const used = coresOf(now.services - last.services)
      const system = coresOf(now.machine - last.machine - (now.batch - last.batch)) - used
      quota = suppress(quota, { cores, services: used, system: Math.max(0, system) })
      last = now
      if (isThere(batch)) setGroup({ path: batch, quotaCores: quota })
    }
  }
  const ended = run().catch((error: unknown) => {
    if (!stopped.signal.aborted) throw error
  })
  ended.catch(() => {}) // told when it is stopped
  return {
    async stop() {
      stopped.abort()
      await ended
    },
  }
}
