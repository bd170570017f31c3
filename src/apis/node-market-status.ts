import * as v from 'valibot'

import { mechanismNames } from '../core/market/mechanisms.ts'
import {
  atMost,
  cpu as quantity,
  listBy,
  price,
  rules,
  text,
  time,
  wholeNumber,
} from './pod-allocation-fields.ts'

/** Decimal suffixes for CPU and counts, binary ones for memory; never negative. */
const amount = (description: string) =>
  v.pipe(
    quantity(description),
    v.metadata({
      pattern: '^[0-9]+(\\.[0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$',
      minimum: 0,
    }),
  )

const resource = v.pipe(
  v.object({
    name: text('Name of the resource, as a Node has it', { minLength: 1, maxLength: 63 }),
    mode: v.pipe(
      v.picklist(['uncongested', 'congested', 'overloaded']),
      v.description('Whether there was enough: for all needs, for all floors, or not even that'),
    ),
    mechanism: v.pipe(v.picklist(mechanismNames), v.description('How it was shared')),
    allocatable: amount('What the pods of the node may have together'),
    reserve: amount('Of that, what is kept back for the system and for pods to come'),
    held: amount('Of that, what pods hold that take no part, exclusive CPUs among it'),
    capacity: amount('What is for sale: allocatable without reserve and held'),
    sold: amount('Of capacity, what the bids got for their needs'),
    unsold: amount('Of capacity, what nobody needs; limits may go into it'),
    price: v.optional(
      price('Of one unit (of CPU, a millicore); absent where it is infinite or has no meaning'),
    ),
    nashProductLog: v.optional(
      v.pipe(
        v.number(),
        v.description(
          'Natural logarithm of the product, over the bids, of what each got above its floor to the power of its weight; absent where some bid got nothing above it',
        ),
      ),
    ),
    pods: wholeNumber('Pods that bid', 'int32'),
    unmanagedPods: wholeNumber('Pods of the node that take no part', 'int32'),
    clearedAt: time('When it was cleared'),
  }),
  v.description('The market of one resource'),
  v.metadata(
    rules(
      atMost('sold', 'capacity', 'sold must be at most capacity: nobody can sell more'),
      atMost('capacity', 'allocatable', 'capacity must be at most allocatable'),
    ),
  ),
)

const node = v.pipe(
  v.object({
    cgroupDriver: v.optional(
      v.pipe(
        v.picklist(['cgroupfs', 'systemd']),
        v.description('How its kubelet sets limits: systemd rounds them to 10m'),
      ),
    ),
    cpuManagerPolicy: v.optional(
      v.pipe(
        v.picklist(['none', 'static']),
        v.description('With static, Guaranteed pods are not resized there'),
      ),
    ),
  }),
  v.description('What only the node itself knows; absent where its agent could not tell'),
)

export const nodeMarketStatus = v.pipe(
  v.object({
    resources: v.pipe(
      v.array(resource),
      v.description('A market each; today that of cpu'),
      v.metadata(listBy('name', 8)),
    ),
    node: v.optional(node),
  }),
  v.description('How the market cleared last; the agent of the node writes it'),
)
