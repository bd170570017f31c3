import { parseLoad } from '../../src/apis/load.ts'
/** A container of the simulated kernel as a plant, on a clock that reading moves. */
import { seededRandom } from '../../src/core/random.ts'
import { createNodeKernel } from '../../src/sim/kernel/node-kernel.ts'
import type { Plant } from './queue-plant.ts'

export function createKernelPlant(
  load: string,
  { cpus, quotaMicros }: { readonly cpus: number; readonly quotaMicros: number },
): Plant {
  let nowMillis = 0
  const agenda = { now: () => nowMillis, at: () => () => {} }
  const kernel = createNodeKernel({ agenda, cpus, random: seededRandom(1) })
  const cpu = { shares: 1024, quotaMicros, periodMicros: 100_000, burstMicros: quotaMicros }
  kernel.add({ id: 'c', podUid: 'p', cpu, load: parseLoad(load) })
  return {
    read(atMicros) {
      nowMillis = atMicros / 1000
      const reading = kernel.read('c')
      if (reading === undefined) throw new Error('reading container c: it is gone')
      return reading
    },
    set: (quotaMicros, burstMicros) => kernel.set('c', { ...cpu, quotaMicros, burstMicros }),
  }
}
