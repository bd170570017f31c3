/** Faults that a person plants into the embedded cluster: what `/sim/faults` and scenarios take. */
import * as v from 'valibot'

export const faultKinds = [
  'error', // 500, and nothing is done
  'too-many-requests', // 429 with Retry-After
  'conflict', // 409 to writes
  'expired', // 410 to lists and watches
  'slow', // the answer comes after `delay`
  'reset-before', // the connection breaks before anything is done
  'reset-after', // the connection breaks after it was done, before the answer
  'drop-watch', // a watch ends after `events` events, as if it broke
  'stall-watch', // a watch goes silent after `events` events
] as const
export type FaultKind = (typeof faultKinds)[number]

const share = v.pipe(
  v.number('a number from 0 to 1'),
  v.minValue(0, 'a number from 0 to 1'),
  v.maxValue(1, 'a number from 0 to 1'),
)
const whole = (least: number) =>
  v.pipe(
    v.number(`a whole number from ${least}`),
    v.integer(`a whole number from ${least}`),
    v.minValue(least, `a whole number from ${least}`),
  )
const words = v.array(v.string('a text'), 'a list of texts')

export const fault = v.strictObject(
  {
    kind: v.pipe(
      v.picklist(faultKinds, `one of ${faultKinds.join(', ')}`),
      v.description('What goes wrong'),
    ),
    share: v.optional(v.pipe(share, v.description('Of the requests that match, from 0 to 1')), 1),
    verbs: v.optional(
      v.pipe(
        words,
        v.description('Only these: get, list, watch, create, update, patch, delete; else all'),
      ),
    ),
    resources: v.optional(
      v.pipe(words, v.description('Only these plurals, such as pods; else all')),
    ),
    userAgent: v.optional(
      v.pipe(v.string('a text'), v.description('Only clients whose User-Agent begins with it')),
    ),
    times: v.optional(v.pipe(whole(1), v.description('Then it is over; else until it is removed'))),
    delayMillis: v.optional(
      v.pipe(whole(0), v.description('Of slow, in simulated milliseconds')),
      1000,
    ),
    retryAfterSeconds: v.optional(v.pipe(whole(1), v.description('Of too-many-requests')), 1),
    events: v.optional(v.pipe(whole(0), v.description('Of drop-watch and stall-watch')), 1),
  },
  'a fault',
)
export type Fault = v.InferOutput<typeof fault>

export const faultFile = v.strictObject(
  { faults: v.array(fault, 'a list of faults') },
  'an object with faults',
)
