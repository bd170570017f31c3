/** Reads of a Kube that go wrong, as if a bad network lay between; writes are not touched. */
import type { Random } from '../../src/core/random.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { ApiError, type Kube } from '../../src/ports/kube.ts'
import { type Faults, reasons } from './faults.ts'

/** As long as a client waits for an answer. */
const requestTimeout = 30_000

export function faultyKube(kube: Kube, faults: Faults, clock: Clock): Kube {
  const { random } = faults
  const sleep = async (duration: number, signal: AbortSignal | undefined) => {
    await clock.sleep(duration, signal)
    if (signal?.aborted === true) throw new Error('aborted')
  }

  async function meet(request: string, signal: AbortSignal | undefined): Promise<void> {
    const fault = faults.ofRequest()
    if (fault === undefined) return
    if (fault === 'delay') return sleep(random() * 2000, signal)
    if (fault === 'stall') await sleep(requestTimeout, signal)
    if (typeof fault === 'string') throw new Error(`${request}: ${fault}`)
    throw refusal(request, fault, fault === 429 ? Math.ceil(random() * 3) : undefined)
  }

  const list: Kube['list'] = async (resource, query, options) => {
    await meet('list', options?.signal)
    const page = await kube.list(resource, query, options)
    await meet('list', options?.signal) // the answer is lost on its way back
    return page
  }

  const watch: Kube['watch'] = async function* watch(resource, query, options) {
    await meet('watch', options.signal)
    let left = distance(random)
    for await (const event of kube.watch(resource, query, options)) {
      if ((left -= 1) < 0) {
        left = distance(random)
        const fault = faults.ofStream()
        if (fault === 'end') return
        if (fault === 'expire') throw refusal('watch', 410)
        if (fault === 'stall') await sleep(Infinity, options.signal)
        if (fault === 'drop' || fault === 'reset') throw new Error(`watch: ${fault}`)
        if (fault === 'delay') await sleep(random() * 5000, options.signal)
      }
      yield event
    }
  }
  return { ...kube, list, watch }
}

/** Events to the next fault: 60 on average. */
const distance = (random: Random): number => Math.floor(-Math.log(1 - random()) * 60)

const refusal = (request: string, code: keyof typeof reasons, retryAfterSeconds?: number) =>
  new ApiError(request, { code, reason: reasons[code], said: 'by the proxy', retryAfterSeconds })
