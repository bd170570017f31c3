/**
 * The questions of `mbcas cpu assign`, `merge` and `hints`, and of the oracle that asks the kubelet's
 * own code the same: what would a kubelet do?
 */
import * as v from 'valibot'

import { parseAs } from './parse.ts'
import { topologySchema } from './topology-file.ts'

const count = v.pipe(
  v.number('a whole number'),
  v.integer('a whole number'),
  v.minValue(0, '0 or more'),
)

const cpuList = v.string('CPUs such as "0-3,8"')

const nodes = v.array(count, 'a list of NUMA nodes')

const options = v.optional(
  v.pipe(
    v.record(
      v.string(),
      v.union([v.boolean(), v.string(), v.number()], 'true or false'),
      'options by name',
    ),
    v.description('The options of the policy, by the names that the kubelet has for them'),
  ),
  {},
)

/** What the CPU Manager knows when it is asked. */
const cpuManager = {
  topology: v.pipe(topologySchema, v.description('The machine')),
  options,
  reserved: v.optional(
    v.pipe(cpuList, v.description('CPUs that are never given away; none, if nothing is said')),
    '',
  ),
  available: v.pipe(cpuList, v.description('CPUs neither reserved nor exclusively assigned')),
  reusable: v.optional(
    v.pipe(cpuList, v.description('CPUs of init containers of the same pod that have run')),
    '',
  ),
  request: v.pipe(count, v.description('How many CPUs the container asks for')),
  topologyPolicy: v.optional(
    v.pipe(
      v.string('a policy'),
      v.description('Of the Topology Manager: some options do not go with each'),
    ),
  ),
}

const assignQuestion = v.strictObject(
  {
    ...cpuManager,
    affinity: v.optional(
      v.pipe(
        v.nullable(nodes),
        v.description('NUMA nodes, as merged; any, if null or if nothing is said'),
      ),
      null,
    ),
  },
  'an object with topology, options, reserved, available, request and affinity',
)

const hintsQuestion = v.strictObject(
  cpuManager,
  'an object with topology, options, reserved, available, reusable and request',
)

const hint = v.strictObject(
  {
    affinity: v.pipe(v.nullable(nodes), v.description('NUMA nodes; null: any')),
    preferred: v.pipe(v.boolean('true or false'), v.description('Whether it is as good as can be')),
  },
  'an object with affinity and preferred',
)

const mergeQuestion = v.strictObject(
  {
    policy: v.pipe(v.string('a policy'), v.description("The Topology Manager's")),
    scope: v.optional(v.pipe(v.string('a scope'), v.description('`container` or `pod`'))),
    numaNodes: v.pipe(nodes, v.description('All NUMA nodes of the machine')),
    options,
    distances: v.optional(
      v.pipe(
        v.array(v.array(v.number('a number'), 'a list of numbers'), 'a list for each NUMA node'),
        v.description('From each NUMA node to each, in the order of `numaNodes`'),
      ),
    ),
    providers: v.pipe(
      v.array(
        v.nullable(
          v.record(v.string(), v.nullable(v.array(hint, 'a list of hints')), 'hints by resource'),
        ),
        'a list of providers',
      ),
      v.description(
        'Hints by resource: a null list has no preference, an empty one cannot be satisfied',
      ),
    ),
  },
  'an object with policy, numaNodes, options, distances and providers',
)

export const cpuQuestions = { assign: assignQuestion, hints: hintsQuestion, merge: mergeQuestion }

export type AssignQuestion = v.InferOutput<typeof assignQuestion>
export type HintsQuestion = v.InferOutput<typeof hintsQuestion>
export type MergeQuestion = v.InferOutput<typeof mergeQuestion>

/** How each question is read; `name` is how an error calls it. */
export const readQuestion = {
  assign: (value: unknown, name: string): AssignQuestion => parseAs(assignQuestion, value, name),
  hints: (value: unknown, name: string): HintsQuestion => parseAs(hintsQuestion, value, name),
  merge: (value: unknown, name: string): MergeQuestion => parseAs(mergeQuestion, value, name),
}
