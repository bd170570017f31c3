/** What Kubernetes and ours make of the questions, and what is compared of it. */
import { createHash } from 'node:crypto'

import { qosClassOf } from '../../../src/apis/pod-qos.ts'
import { formatQuantity } from '../../../src/core/quantity.ts'
import {
  type Amounts,
  podLimits,
  podRequests,
} from '../../../src/sim/apiserver/kinds/pod/resources.ts'
import { podRules } from '../../../src/sim/apiserver/kinds/pod/rules.ts'
import { asPod } from '../../../src/sim/apiserver/kinds/pod/types.ts'
import type { ApiObject } from '../../../src/sim/apiserver/object.ts'
import { type FieldError, textOf } from '../../../src/sim/apiserver/refusal.ts'
import type { Json } from './pods.ts'
import type { Question } from './questions.ts'

export type Answer = {
  /** Field and text. */
  readonly errors: readonly (readonly [string, string])[]
  readonly qos: string
  readonly pod: { readonly spec: unknown }
  readonly requests: Texts
  readonly limits: Texts
}
type Texts = Readonly<Record<string, string>>

const { setDefaults, prepareCreate, prepareUpdate, validateCreate, validateUpdate } =
  podRules.strategy
const situation = { now: 0, find: () => undefined, all: () => [] }

const decode = (pod: Json | undefined): ApiObject => {
  const object = structuredClone({ apiVersion: 'v1', kind: 'Pod', ...pod }) as ApiObject
  return setDefaults?.(object) ?? object
}

const subresources = {
  update: '',
  status: 'status',
  resize: 'resize',
  'validate-resize': 'resize',
} as const

export function answer({ op, pod, old }: Question): Answer {
  const given = decode(pod)
  if (op === 'create') {
    const next = prepareCreate?.(given, situation) ?? given
    return answerOf(next, validateCreate?.(next, situation) ?? [])
  }
  const before = decode(old)
  const at = { ...situation, subresource: subresources[op] }
  const isPrepared = op !== 'validate-resize'
  const next = isPrepared ? (prepareUpdate?.(given, before, at) ?? given) : given
  return answerOf(next, validateUpdate?.(next, before, at) ?? [])
}

function answerOf(next: ApiObject, errors: readonly FieldError[]): Answer {
  const pod = asPod(next)
  return {
    errors: errors.map((error) => [error.field, textOf(error)] as const),
    qos: qosClassOf(pod.spec),
    pod: { spec: pod.spec },
    requests: textsOf(podRequests(pod)),
    limits: textsOf(podLimits(pod)),
  }
}

const textsOf = (amounts: Amounts): Texts =>
  Object.fromEntries([...amounts].map(([name, quantity]) => [name, formatQuantity(quantity)]))

/** What must agree. A line of cases.jsonl has these, with a digest for the pod. */
export type Verdict = {
  readonly qos: string
  /** What would be stored, and what it counts as. */
  readonly pod: unknown
  readonly errors: readonly string[]
}

export const verdictOf = ({ qos, pod, requests, limits, errors }: Answer): Verdict => ({
  qos,
  pod: compact({ spec: pod.spec, requests, limits }),
  // As a set: Go goes through maps in any order. Of an update that changes too much, the difference
  // that follows in Go's words is left out.
  errors: [
    ...new Set(errors.map(([field, text]) => `${field}: ${text.split('\n')[0] ?? ''}`)),
  ].toSorted(),
})

export const digestOf = (pod: unknown): string =>
  createHash('sha256').update(JSON.stringify(pod)).digest('hex').slice(0, 8)

/** Without what says nothing: Go leaves some of it out, and writes some of it. */
function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(compact)
  if (typeof value !== 'object' || value === null)
    return value === '' || value === 0 ? undefined : value
  const fields = Object.entries(value)
    .map(([name, field]) => [name, compact(field)] as const)
    .filter(([, field]) => field !== undefined && field !== null)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return fields.length === 0 ? undefined : Object.fromEntries(fields)
}
