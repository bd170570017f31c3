/**
 * A pod as people write it in a file: amounts may be numbers, and a key without a value is as good as
 * none. Only what the managers of a kubelet look at is kept.
 */
import * as v from 'valibot'

import { parseQuantity, QuantityError } from '../core/quantity.ts'
import { parseAs } from './parse.ts'
import type { Container, Pod } from './pod.ts'

/** YAML makes null of a key without a value. */
const given = <const S extends v.GenericSchema>(schema: S) =>
  v.pipe(
    v.nullish(schema),
    v.transform((value) => value ?? undefined),
  )

const quantity = v.pipe(
  v.union([v.string(), v.number()], 'a quantity such as 500m or 2'),
  v.rawTransform<string | number, string>(({ dataset, addIssue, NEVER }) => {
    const text = String(dataset.value)
    try {
      if (parseQuantity(text).nanos >= 0n) return text
      addIssue({ message: `expected 0 or more, got ${text}` })
      return NEVER
    } catch (error) {
      if (!(error instanceof QuantityError)) throw error
      addIssue({ message: error.message })
      return NEVER
    }
  }),
)

const amounts = v.record(v.string(), quantity, 'quantities by resource')
const resources = v.object(
  { requests: given(amounts), limits: given(amounts) },
  'an object with requests and limits',
)
const text = v.string('a text')

const container = v.object(
  { name: v.string('a name'), restartPolicy: given(text), resources: given(resources) },
  'an object with name and resources',
)

const containers = v.array(v.unknown(), 'a list of containers')
const pod = v.object({
  metadata: given(v.object({ name: given(text), namespace: given(text), uid: given(text) })),
  spec: v.object(
    { containers, initContainers: given(containers), resources: given(resources) },
    'an object with containers',
  ),
  status: given(v.object({ qosClass: given(text) })),
})

/** `name` is how a fault calls the file. */
export function readPod(document: unknown, name: string): Pod {
  const { metadata = {}, spec, status } = parseAs(pod, document, name)
  const place = `pod ${metadata.namespace ?? 'default'}/${metadata.name ?? ''}`
  const read = (kind: string, list: readonly unknown[] = []): Container[] =>
    list.map(
      (one, i) => parseAs(container, one, `${name}: ${place}: ${kind} ${i + 1}`) as Container,
    )
  return {
    metadata,
    spec: {
      ...spec,
      containers: read('container', spec.containers),
      initContainers: read('init container', spec.initContainers),
    },
    ...(status && { status }),
  } as Pod
}
