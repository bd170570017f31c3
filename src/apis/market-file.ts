/** What `mbcas market` reads and writes: a market to clear, and a market that was cleared. */
import * as v from 'valibot'

import { mechanismNames } from '../core/market/mechanism-names.ts'
import { QuantityError } from '../core/quantity.ts'
import type { Millicores } from '../core/units.ts'
import { parseCpu } from './cpu-amount.ts'

const cpu = v.pipe(
  v.union([v.number(), v.string()], 'millicores such as "100m", "0.1" or 100'),
  v.rawTransform<string | number, Millicores>(({ dataset, addIssue, NEVER }) => {
    try {
      return parseCpu(dataset.value)
    } catch (error) {
      if (!(error instanceof QuantityError || error instanceof RangeError)) throw error
      addIssue({ message: error.message })
      return NEVER
    }
  }),
  v.title('quantity, or number of millicores'),
)

const mechanism = v.picklist(
  mechanismNames,
  `${mechanismNames.slice(0, -1).join(', ')} or ${mechanismNames.at(-1)}`,
)

const bid = v.strictObject(
  {
    id: v.pipe(v.string('a name'), v.description('Names the bid; of one bid only')),
    floor: v.pipe(cpu, v.description('What it must have: the disagreement point')),
    need: v.pipe(cpu, v.description('What it could use now')),
    ceiling: v.pipe(cpu, v.description('What it may have at most')),
    weight: v.pipe(v.number('a number'), v.description('Its say when there is too little for all')),
  },
  'an object with id, floor, need, ceiling and weight',
)

export const marketFile = v.strictObject(
  {
    capacity: v.optional(
      v.pipe(cpu, v.description('What is to be shared; `--capacity` wins over it')),
    ),
    mechanism: v.optional(
      v.pipe(
        mechanism,
        v.description('How it is shared; `--mechanism` wins over it; `nash` if neither says'),
      ),
    ),
    bids: v.pipe(v.array(bid, 'a list of bids'), v.description('Who wants how much of it')),
  },
  'an object with capacity, mechanism and bids',
)

export type MarketFile = v.InferOutput<typeof marketFile>

const number = v.number('a number')

const allocation = v.strictObject(
  {
    id: v.pipe(v.string('a name'), v.description('The bid')),
    millicores: v.pipe(number, v.description('What it gets, whole')),
    exact: v.pipe(number, v.description('What it would get in parts of a millicore')),
    reason: v.pipe(v.string('words'), v.description('Why')),
  },
  'an object with id, millicores, exact and reason',
)

export const marketResult = v.strictObject(
  {
    mode: v.pipe(v.string('a mode'), v.description('`uncongested`, `congested` or `overloaded`')),
    mechanism: v.pipe(mechanism, v.description('How it was shared')),
    capacity: v.pipe(number, v.description('Millicores')),
    price: v.pipe(
      v.nullable(v.number('a number or null')),
      v.description('Of one millicore; null where it is infinite or has no meaning'),
    ),
    slack: v.pipe(number, v.description('Millicores that nobody needs')),
    allocations: v.pipe(
      v.array(allocation, 'a list of allocations'),
      v.description('In the order of the bids'),
    ),
    certificate: v.pipe(
      v.strictObject(
        {
          primal: v.pipe(
            number,
            v.description('Bounds and capacity: the largest violation, of capacity'),
          ),
          dual: v.pipe(number, v.description('How far somebody stands above the common level')),
          complementarity: v.pipe(
            number,
            v.description('How far somebody short of its need stands below it'),
          ),
        },
        'an object with primal, dual and complementarity',
      ),
      v.description('How far from optimal, relative; 0 up to rounding'),
    ),
    iterations: v.optional(v.pipe(number, v.description('Prices that primal-dual broadcast'))),
  },
  'an object as `mbcas market clear -o json` prints it',
)

export type MarketResult = v.InferOutput<typeof marketResult>
