/** Rates from counters, as metrics-server has them: between two readings that are some seconds apart. */
import type { Agenda } from '../agenda.ts'

/** A newer reading is not taken before this has passed: that long all who ask get the same. */
const resolution = 15_000

export type Usage = {
  readonly nanocores: number
  /** When the newer reading was, in milliseconds since 1970. */
  readonly at: number
  readonly windowMillis: number
}

type Counter = {
  /** CPU time since it began. */
  readonly usedMicros: () => number | undefined
  /** Milliseconds since 1970. */
  readonly since: number
}

type Meter = {
  /** Undefined as long as there is nothing to compare with. */
  readonly read: (owner: string, id: string, counter: Counter) => Usage | undefined
  readonly forget: (owner: string) => void
}

type Reading = { readonly at: number; readonly micros: number }

export function createMeter(agenda: Agenda): Meter {
  const known = new Map<string, Map<string, readonly [Reading, Reading]>>()

  return {
    read: (owner, id, { usedMicros, since }) => {
      const ofOwner = known.get(owner) ?? new Map<string, readonly [Reading, Reading]>()
      known.set(owner, ofOwner)
      const now = agenda.wall()
      let readings = ofOwner.get(id)
      if (readings === undefined || now - readings[1].at >= resolution) {
        const micros = usedMicros()
        if (micros === undefined) return undefined
        readings = [readings?.[1] ?? { at: since, micros: 0 }, { at: now, micros }]
        ofOwner.set(id, readings)
      }
      const [older, newer] = readings
      const windowMillis = newer.at - older.at
      if (windowMillis <= 0) return undefined
      const nanocores = Math.round(((newer.micros - older.micros) * 1e6) / windowMillis)
      return { nanocores, at: newer.at, windowMillis }
    },
    forget: (owner) => void known.delete(owner),
  }
}
