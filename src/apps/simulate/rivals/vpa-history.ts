/** Eight days in which each workload did over and over what it will do: as long as VPA looks back. */
import { type History, noHistory, remember, wholeMilli } from '../../../core/rivals/vpa.ts'
import { millis } from '../../../core/units.ts'
import type { Hindsight } from '../arm/hindsight.ts'

const MINUTE = 60_000
const DAYS = 8
const MINUTES = DAYS * 24 * 60

/** Until `start`; by workload, whose container is called as it is. */
export const eightDaysOf = (hindsight: Hindsight, start: number): ReadonlyMap<string, History> =>
  new Map(
    Array.from(hindsight, ([workload, { minutes }]): [string, History] => {
      let history = noHistory
      for (let i = 0; i < MINUTES && minutes.length > 0; i++) {
        const at = millis(start - (MINUTES - i) * MINUTE)
        history = remember(history, { at, cores: wholeMilli(minutes[i % minutes.length] ?? 0) })
      }
      return [workload, history]
    }),
  )
