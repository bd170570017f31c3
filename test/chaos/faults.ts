/** What can go wrong between a client and its server, drawn by a seed. */
import { type Random, seededRandom } from '../../src/core/random.ts'

/** Before an answer: no answer, a late one, or one of the proxy's own. */
export type RequestFault = 'drop' | 'reset' | 'stall' | 'delay' | 410 | 429 | 500 | 503
/** Within an answer: `end` is a proper end, though too early; `expire` an ERROR event of code 410. */
export type StreamFault = 'drop' | 'reset' | 'stall' | 'delay' | 'end' | 'expire'

const requestFaults = ['drop', 'reset', 'stall', 'delay', 410, 429, 500, 503] as const
const streamFaults = ['drop', 'reset', 'stall', 'delay', 'end', 'expire'] as const

export const reasons = {
  410: 'Expired',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
} as const

export type Faults = {
  readonly random: Random
  readonly ofRequest: () => RequestFault | undefined
  readonly ofStream: () => StreamFault | undefined
  /** No new faults; what is stalled stays so. */
  readonly settle: () => void
  readonly resume: () => void
  /** How often each came, such as `request 410`. */
  readonly counts: ReadonlyMap<string, number>
}

/** `requestRatio` of requests go wrong, and `streamRatio` of the places within an answer where it could. */
export function createFaults({
  seed,
  requestRatio = 0.3,
  streamRatio = 0.8,
}: {
  readonly seed: number
  readonly requestRatio?: number
  readonly streamRatio?: number
}): Faults {
  const random = seededRandom(seed)
  const counts = new Map<string, number>()
  let on = true
  const draw = <F>(stage: string, faults: readonly F[], ratio: number): F | undefined => {
    if (!on || random() >= ratio) return undefined
    const fault = faults[Math.floor(random() * faults.length)]
    const name = `${stage} ${String(fault)}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
    return fault
  }
  return {
    random,
    ofRequest: () => draw('request', requestFaults, requestRatio),
    ofStream: () => draw('stream', streamFaults, streamRatio),
    settle: () => {
      on = false
    },
    resume: () => {
      on = true
    },
    counts,
  }
}

export const everyFault: readonly string[] = [
  ...requestFaults.map((fault) => `request ${fault}`),
  ...streamFaults.map((fault) => `stream ${fault}`),
]
