/** A workload of a scenario: pods that are alike, their load, and what they are owed. */
import * as v from 'valibot'

import { millicores } from '../core/units.ts'
import { cpu, duration, number } from './config-fields.ts'
import { count, load, moment, mostPods, name, texts } from './scenario-fields.ts'

const least = millicores(1)

export const workload = v.strictObject(
  {
    name: v.pipe(
      name,
      v.description('Its Deployment and its container; phases refer to it. Of one workload only'),
    ),
    namespace: v.optional(
      v.pipe(name, v.description('`default` if not said; made if it is not there')),
      'default',
    ),
    replicas: v.optional(v.pipe(count(0, mostPods), v.description('Pods; 1 if not said')), 1),
    node: v.optional(
      v.pipe(name, v.description('The only one its pods may run on; else the scheduler decides')),
    ),
    cpu: v.optional(
      v.pipe(
        v.strictObject(
          {
            request: v.optional(cpu('Promised to each pod; none if not said', least)),
            limit: v.optional(cpu('Allowed to each pod; none if not said', least)),
          },
          'an object with request and limit',
        ),
        v.description('What each pod starts with; controllers may change it'),
      ),
      {},
    ),
    load: v.optional(
      load('What each pod does with CPU until a phase says otherwise; `idle` if not said'),
      'idle',
    ),
    slo: v.optional(
      v.pipe(
        v.strictObject(
          {
            p99: duration('99 of 100 requests are to be answered within it', {
              min: '1ms',
              max: '1h',
            }),
          },
          'an object with p99',
        ),
        v.description('Of a load of requests; `mbcas.io/target-latency-ms` on its pods'),
      ),
    ),
    weight: v.optional(
      number(
        'Its say within its namespace when CPU is short, 1 if not said; `mbcas.io/priority-multiplier`',
        {
          min: 0.1,
          max: 10,
        },
      ),
    ),
    minCpu: v.optional(cpu('Floor of each pod; `mbcas.io/min-cpu`', least)),
    maxCpu: v.optional(cpu('Ceiling of each pod; `mbcas.io/max-cpu`', least)),
    labels: v.optional(texts('Of its pods'), {}),
    annotations: v.optional(
      texts('Of its pods, such as `mbcas.io/managed: "false"`; they win over those from above'),
      {},
    ),
    evictAfter: v.optional(
      moment('How long its pods are waited for on a node that is lost; 5m if not said'),
    ),
    from: v.optional(moment('When it comes; at the start if not said')),
    until: v.optional(moment('When it goes; never if not said')),
  },
  'a workload',
)
export type Workload = v.InferOutput<typeof workload>
