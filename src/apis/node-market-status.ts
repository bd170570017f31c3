import * as v from 'valibot'

import { mechanismNames } from '../core/market/mechanism-names.ts'
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

const podName = (description: string) => text(description, { minLength: 1, maxLength: 317 }) // a namespace, a slash, a name

const holder = v.pipe(
  v.object({
    pod: podName('Its namespace and name, such as default/web'),
    amount: amount('What it used when the market was last cleared'),
  }),
  v.description('One pod'),
)

const change = v.pipe(
  v.object({
    pod: podName('Its namespace and name, such as default/web'),
    at: time('When it was told'),
    from: amount('Its request before; where its limit is its share, that'),
    to: amount('The same now'),
    reason: text('Why, in words'),
  }),
  v.description('What one pod was told'),
)

/** Of pods that a person should look at; each costs in every list of all nodes. */
export const troubledBounds = { most: 5, maxReason: 512 }

const troubled = {
  namespace: text('Of the pod', { minLength: 1, maxLength: 63 }),
  name: text('Of the pod', { minLength: 1, maxLength: 253 }),
  reason: text('Why, in words', { maxLength: troubledBounds.maxReason }),
}

const suffering = v.pipe(v.object(troubled), v.description('One pod'))

const heldBack = v.pipe(
  v.object({ ...troubled, to: amount('The quota that holds it') }),
  v.description('One pod'),
)

const troubledList = listBy(['namespace', 'name'], troubledBounds.most)

const resource = v.pipe(
  v.object({
    name: text('Name of the resource, as a Node has it', { minLength: 1, maxLength: 63 }),
    mode: v.pipe(
      v.picklist(['uncongested', 'congested', 'overloaded']),
      v.description(
        'Whether there was enough for all needs; `overloaded`: the floors that owners set (`min-cpu`) do not fit',
      ),
    ),
    mechanism: v.pipe(v.picklist(mechanismNames), v.description('How it was shared')),
    allocatable: amount('What the pods of the node may have together'),
    reserve: amount('Of that, what is kept back for the system and for pods to come'),
    held: amount('Of that, what pods hold that take no part, exclusive CPUs among it'),
    capacity: amount('What is for sale: allocatable without reserve and held'),
    sold: amount('Of capacity, what the bids got for their needs'),
    unsold: amount('Of capacity, what nobody needs'),
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
    sufferingPods: v.optional(
      wholeNumber('Of the pods that bid, those that are late or wait for a CPU', 'int32'),
    ),
    holders: v.optional(
      v.pipe(
        v.array(holder),
        v.description('Of the pods that bid, those that use most'),
        v.metadata(listBy('pod', 8)),
      ),
    ),
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
    agentPort: v.optional(
      v.pipe(
        wholeNumber('Where its agent serves /state and /metrics', 'int32'),
        v.metadata({ minimum: 1 }),
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
    changes: v.optional(
      v.pipe(
        v.array(change),
        v.description('What pods were told last about their CPU'),
        v.metadata(listBy('pod', 8)),
      ),
    ),
    suffering: v.optional(
      v.pipe(
        v.array(suffering),
        v.description('Pods that are late or wait for a CPU; those that have for longest'),
        v.metadata(troubledList),
      ),
    ),
    heldBack: v.optional(
      v.pipe(
        v.array(heldBack),
        v.description('Pods that a quota holds back to protect others; the largest'),
        v.metadata(troubledList),
      ),
    ),
    node: v.optional(node),
  }),
  v.description('How the market cleared last; the agent of the node writes it'),
)
