/** A scenario for the embedded cluster: what is there, and what happens when. */
import * as v from 'valibot'

import { armNames } from '../core/comparison/arm-names.ts'
import { fault } from './fault-file.ts'
import type { Recordings } from './recording.ts'
import {
  atMost,
  bytes,
  count,
  largestSeed,
  load,
  moment,
  mostCpus,
  mostNodes,
  mostPods,
  name,
  texts,
} from './scenario-fields.ts'
import { workload } from './scenario-workload.ts'

const names = v.array(name, 'a list of names')
const manifest = v.looseObject(
  {
    apiVersion: v.pipe(name, v.description('Such as v1 or apps/v1')),
    kind: v.pipe(name, v.description('Such as ConfigMap')),
    metadata: v.pipe(
      v.looseObject(
        {
          name: v.pipe(name, v.description('Within its kind and namespace')),
          namespace: v.optional(v.pipe(name, v.description('default if not said'))),
        },
        'metadata with a name',
      ),
      v.title('object'),
      v.description('As Kubernetes has it, with whatever else belongs to the kind beside it'),
    ),
  },
  'an object with apiVersion, kind and metadata.name',
)
export type Manifest = v.InferOutput<typeof manifest>
const manifests = v.pipe(v.array(manifest, 'a list of objects'), v.title('list of objects'))

export const nodeGroup = v.strictObject(
  {
    name: v.optional(v.pipe(name, v.description('Nodes are called name-0, name-1, ...')), 'node'),
    count: v.optional(v.pipe(count(1, mostNodes), v.description('How many; 1 if not said')), 1),
    cpus: v.optional(v.pipe(count(1, mostCpus), v.description('Of each; 4 if not said')), 4),
    memory: v.optional(v.pipe(bytes, v.description('Of each; 16Gi if not said')), '16Gi'),
    pods: v.optional(
      v.pipe(count(1, 1000), v.description('At most on each; 110 if not said')),
      110,
    ),
    labels: v.optional(texts('Of each node'), {}),
    extended: v.optional(
      v.pipe(
        v.record(v.string(), count(0, 1_000_000), 'numbers by resource, such as nvidia.com/gpu: 8'),
        v.title('numbers by resource'),
        v.description('As device plugins announce them, such as nvidia.com/gpu: 8'),
      ),
      {},
    ),
  },
  'a group of nodes',
)
export type NodeGroup = v.InferOutput<typeof nodeGroup>

/** What may happen at any moment. */
const mishaps = {
  loseNodes: v.optional(
    v.pipe(
      names,
      v.title('list of names'),
      v.description('Nodes that fall silent, with all their containers'),
    ),
  ),
  restoreNodes: v.optional(
    v.pipe(names, v.title('list of names'), v.description('Nodes that come back')),
  ),
  faults: v.optional(
    v.pipe(
      v.array(fault, 'a list of faults'),
      v.description(
        'What goes wrong with requests to the API from now on, instead of what went wrong before',
      ),
    ),
  ),
}

const phase = v.strictObject(
  {
    name: v.pipe(name, v.description('As people call it')),
    at: moment('When it begins, since the start; phases are in this order'),
    loads: v.optional(
      v.pipe(
        v.record(name, load(''), 'loads by workload'),
        v.title('[loads](#loads) by workload'),
        v.description('What pods do from now on; the others go on as they are'),
      ),
      {},
    ),
    replicas: v.optional(
      v.pipe(
        v.record(name, count(0, mostPods), 'whole numbers by workload'),
        v.title('whole numbers by workload'),
        v.description('How many pods there are from now on; the others stay'),
      ),
      {},
    ),
    roll: v.optional(
      v.pipe(
        names,
        v.title('list of names'),
        v.description(
          'Workloads whose pods are replaced one by one, as `kubectl rollout restart` does',
        ),
      ),
      [],
    ),
    ...mishaps,
  },
  'a phase',
)
export type Phase = v.InferOutput<typeof phase>

const step = v.strictObject(
  {
    at: moment('When it happens, since the start'),
    apply: v.optional(v.pipe(manifests, v.description('Objects to create, or to change'))),
    delete: v.optional(
      v.pipe(manifests, v.description('Objects to delete: apiVersion, kind, name, namespace')),
    ),
    ...mishaps,
  },
  'a step',
)
export type Step = v.InferOutput<typeof step>

/** Who sizes the pods: nobody, a person, others' control laws (core/rivals), or this platform. */
const arm = v.picklist(armNames, `one of ${armNames.join(', ')}`)

export const scenarioFile = v.strictObject(
  {
    name: v.optional(v.pipe(name, v.description('As people call it; its file if not said'))),
    about: v.optional(v.pipe(v.string('a text'), v.description('What it shows')), ''),
    seed: v.optional(
      v.pipe(count(0, largestSeed), v.description('Random seed of the whole run; 1 if not set')),
      1,
    ),
    duration: v.optional(
      moment('After which it is over, and begins anew in a demo; else it goes on for ever'),
    ),
    warmUp: v.optional(
      moment('Left out of the figures of a comparison; nothing is left out if not said'),
      '0s',
    ),
    nodes: v.optional(
      v.pipe(
        v.array(nodeGroup, 'a list of groups of nodes'),
        atMost(mostNodes, 'groups of nodes'),
        v.description('Three of 4 CPUs if not said; `mbcas cluster` has --nodes and --cpus'),
      ),
    ),
    workloads: v.optional(
      v.pipe(
        v.array(workload, 'a list of workloads'),
        atMost(1000, 'workloads'),
        v.description('Who uses CPU'),
      ),
      [],
    ),
    phases: v.optional(
      v.pipe(
        v.array(phase, 'a list of phases'),
        atMost(1000, 'phases'),
        v.description('How that changes'),
      ),
      [],
    ),
    steps: v.optional(
      v.pipe(
        v.array(step, 'a list of steps'),
        atMost(10_000, 'steps'),
        v.description('What else happens: any objects of Kubernetes'),
      ),
      [],
    ),
    compare: v.optional(
      v.pipe(
        v.array(arm, 'a list of controllers'),
        atMost(armNames.length, 'controllers'),
        v.title(`list of ${armNames.join(', ')}`),
        v.description(
          'Whom `mbcas simulate` compares; static, unlimited, vpa and mbcas if not said. static changes nothing, unlimited lifts all limits',
        ),
      ),
      ['static', 'unlimited', 'vpa', 'mbcas'],
    ),
  },
  'a scenario',
)
export type ScenarioFile = v.InferOutput<typeof scenarioFile> & {
  /** What its recorded loads play. Whoever opens a scenario reads it; it is no part of the text. */
  readonly recordings?: Recordings
}
