/** A scenario for the embedded cluster: what is there, and what happens when. */
import * as v from 'valibot'

import { parseDuration } from '../core/duration.ts'
import { InvalidInput } from '../core/errors.ts'
import { parseBytes, QuantityError } from '../core/quantity.ts'
import { fault } from './fault-file.ts'

const day = 86_400_000

const duration = v.pipe(
  v.string('a duration such as 250ms or 15s'),
  v.rawTransform<string, number>(({ dataset, addIssue, NEVER }) => {
    try {
      return parseDuration(dataset.value, { flag: 'duration', min: 0, max: 366 * day })
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      addIssue({ message: error.message })
      return NEVER
    }
  }),
  v.title('duration such as 250ms, 15s, 10m or 24h'),
)
function isBytes(text: string): boolean {
  try {
    return parseBytes(text) > 0
  } catch (error) {
    if (error instanceof QuantityError || error instanceof RangeError) return false
    throw error
  }
}
const count = (least: number) =>
  v.pipe(
    v.number(`a whole number from ${least}`),
    v.integer(`a whole number from ${least}`),
    v.minValue(least, `a whole number from ${least}`),
  )
const bytes = v.pipe(
  v.string('a quantity such as 16Gi'),
  v.check(isBytes, 'a quantity such as 16Gi'),
)
const name = v.pipe(v.string('a name'), v.nonEmpty('a name'))
const names = v.array(name, 'a list of names')
const manifest = v.looseObject(
  {
    apiVersion: name,
    kind: name,
    metadata: v.looseObject({ name, namespace: v.optional(name) }, 'metadata with a name'),
  },
  'an object with apiVersion, kind and metadata.name',
)
export type Manifest = v.InferOutput<typeof manifest>
const manifests = v.array(manifest, 'a list of objects')

export const nodeGroup = v.strictObject(
  {
    name: v.optional(v.pipe(name, v.description('Nodes are called name-0, name-1, ...')), 'node'),
    count: v.optional(v.pipe(count(1), v.description('How many; 1 if not said')), 1),
    cpus: v.optional(v.pipe(count(1), v.description('Of each; 4 if not said')), 4),
    memory: v.optional(v.pipe(bytes, v.description('Of each; 16Gi if not said')), '16Gi'),
    pods: v.optional(v.pipe(count(1), v.description('At most on each; 110 if not said')), 110),
    labels: v.optional(
      v.pipe(
        v.record(v.string(), v.string('a text'), 'labels'),
        v.title('texts by name'),
        v.description('Of each node'),
      ),
      {},
    ),
    extended: v.optional(
      v.pipe(
        v.record(v.string(), count(0), 'numbers by resource, such as nvidia.com/gpu: 8'),
        v.title('numbers by resource'),
        v.description('As device plugins announce them, such as nvidia.com/gpu: 8'),
      ),
      {},
    ),
  },
  'a group of nodes',
)
export type NodeGroup = v.InferOutput<typeof nodeGroup>

const step = v.strictObject(
  {
    at: v.pipe(duration, v.description('Simulated time since the start')),
    apply: v.optional(v.pipe(manifests, v.description('Objects to create, or to change'))),
    delete: v.optional(
      v.pipe(manifests, v.description('Objects to delete: apiVersion, kind, name, namespace')),
    ),
    loseNodes: v.optional(
      v.pipe(names, v.description('Nodes that fall silent, with all their containers')),
    ),
    restoreNodes: v.optional(v.pipe(names, v.description('Nodes that come back'))),
    faults: v.optional(
      v.pipe(
        v.array(fault, 'a list of faults'),
        v.description('What goes wrong from now on, instead of what went wrong before'),
      ),
    ),
  },
  'a step',
)
export type Step = v.InferOutput<typeof step>

export const scenarioFile = v.strictObject(
  {
    seed: v.optional(v.pipe(count(0), v.description('Of all chance; 1 if not said')), 1),
    duration: v.optional(v.pipe(duration, v.description('After which it is over; else never'))),
    nodes: v.optional(
      v.pipe(
        v.array(nodeGroup, 'a list of groups of nodes'),
        v.description('Instead of --nodes and --cpus'),
      ),
    ),
    steps: v.optional(
      v.pipe(v.array(step, 'a list of steps'), v.description('What happens when')),
      [],
    ),
  },
  'a scenario',
)
export type ScenarioFile = v.InferOutput<typeof scenarioFile>
