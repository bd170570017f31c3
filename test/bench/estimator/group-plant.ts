/** A CPU group of this machine's kernel as a plant for the estimator. */
import { openCgroups } from '../../../src/adapters/cgroup/reader.ts'
import { openCgroupWriter } from '../../../src/adapters/cgroup/writer.ts'
import type { Plant } from '../../demand/queue-plant.ts'
import { nowMicros } from '../burn.ts'

/** Real time passes: it reads now, whatever moment it is asked for. */
export function openGroupPlant(path: string): Plant & { readonly close: () => void } {
  const reader = openCgroups({ nowMicros })
  const writer = openCgroupWriter({ onWrite: reader.stale })
  const place = { path }
  return {
    read() {
      const reading = reader.read(place)
      if (reading === undefined) throw new Error(`reading group ${path}: it is gone`)
      return reading
    },
    set(quotaMicros, burstMicros) {
      const { refused } = writer.write([{ place, quotaMicros, burstMicros }])
      if (refused.length > 0) throw new Error(`setting group ${path}: ${refused.join('; ')}`)
    },
    close: reader.close,
  }
}
