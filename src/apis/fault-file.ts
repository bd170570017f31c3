/** Faults that a person plants into the embedded cluster: what `/sim/faults` and scenarios take. */
import * as v from 'valibot'

import { count } from './scenario-fields.ts'

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
  v.title('number, 0 to 1'),
)
const words = v.pipe(v.array(v.string('a text'), 'a list of texts'), v.title('list of texts'))

export const fault = v.strictObject(
  {
    kind: v.pipe(
      v.picklist(faultKinds, `one of ${faultKinds.join(', ')}`),
      v.description(
        'What goes wrong; see [what each does](../guide/embedded-cluster.md#scenarios-and-faults)',
      ),
    ),
    share: v.optional(v.pipe(share, v.description('Of the requests that match; 1 if not said')), 1),
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
    times: v.optional(
      v.pipe(count(1, 1_000_000_000), v.description('Then it is over; else until it is removed')),
    ),
    delayMillis: v.optional(
      v.pipe(
        count(0, 86_400_000),
        v.description('Of slow, in simulated milliseconds; 1000 if not said'),
      ),
      1000,
    ),
    retryAfterSeconds: v.optional(
      v.pipe(count(1, 86_400), v.description('Of too-many-requests; 1 if not said')),
      1,
    ),
    events: v.optional(
      v.pipe(
        count(0, 1_000_000_000),
        v.description('Of drop-watch and stall-watch: how many come before; 1 if not said'),
      ),
      1,
    ),
  },
  'a fault',
)
export type Fault = v.InferOutput<typeof fault>

export const faultFile = v.strictObject(
  {
    faults: v.pipe(
      v.array(fault, 'a list of faults'),
      v.description('What goes wrong from now on; none is well again'),
    ),
  },
  'an object with faults',
)
