/** Koordinator's CPU suppress on real groups, by its law. */
import { setTimeout as sleep } from 'node:timers/promises'

import { suppress, THRESHOLD_RATIO } from '../../../src/core/rivals/suppress.ts'
import { readMachine } from '../machine-use.ts'
import { sumOf } from '../statistics.ts'
import { isThere, setGroup, usageMicros } from './group.ts'

const everyMillis = 1000

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
