/** What cases assert again and again. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

import type { KubeObject } from '../../src/apis/object.ts'
import { type Pod, pods, type PodCondition } from '../../src/apis/pod.ts'
import { ApiError } from '../../src/ports/kube.ts'
import { patienceMillis } from '../until.ts'
import type { ContractServer, Ended } from './case.ts'
import type { TestPod } from './objects.ts'

export type Refusal = {
  readonly code: number
  readonly reason: string
  /** All of the server's words. */
  readonly said: string | RegExp
  readonly causes?: ApiError['causes']
}

export async function refused(work: Promise<unknown>, wanted: Refusal): Promise<ApiError> {
  const error = await work.then(
    (answer) => assert.fail(`expected ${wanted.reason}, got ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  )
  if (!(error instanceof ApiError)) throw error
  const { code, reason, said } = error
  if (typeof wanted.said === 'string') {
    assert.deepEqual(
      { code, reason, said },
      { code: wanted.code, reason: wanted.reason, said: wanted.said },
    )
  } else {
    assert.deepEqual({ code, reason }, { code: wanted.code, reason: wanted.reason })
    assert.match(said, wanted.said)
  }
  if (wanted.causes !== undefined) assert.deepEqual(error.causes, wanted.causes)
  return error
}

/** Looks until it is so; says what it last saw if that takes too long. */
export async function eventually<T>(
  look: () => Promise<T>,
  holds: (seen: T) => boolean,
  timeoutMillis = patienceMillis,
): Promise<T> {
  const deadline = performance.now() + timeoutMillis
  for (;;) {
    const seen = await look()
    if (holds(seen)) return seen
    if (performance.now() > deadline) assert.fail(`never so; last seen: ${JSON.stringify(seen)}`)
    await sleep(150)
  }
}

const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 404

export async function untilGone(look: () => Promise<unknown>): Promise<void> {
  await eventually(
    async () =>
      look().then(
        () => false,
        (error: unknown) => {
          if (isGone(error)) return true
          throw error
        },
      ),
    (gone) => gone,
  )
}

export const conditionOf = ({ status }: Pod, type: string): PodCondition | undefined =>
  status?.conditions?.find((condition) => condition.type === type)

export const isReady = (pod: Pod): boolean => conditionOf(pod, 'Ready')?.status === 'True'

/** Creates it and waits until it is Ready. */
export async function runPod({ kube }: ContractServer, pod: TestPod): Promise<Pod> {
  const created = await kube.create<Pod>(pods, pod)
  return eventually(async () => kube.get(pods, placeOf(created)), isReady)
}

export const placeOf = ({ metadata: { namespace, name = '' } }: KubeObject) => ({
  ...(namespace !== undefined && { namespace }),
  name,
})

/** A part of the object that the product's types do not name. */
export const partOf = (object: KubeObject, key: string): unknown =>
  (object as unknown as Record<string, unknown>)[key]

export type ManagedFields = {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly subresource?: string
  readonly fieldsV1: unknown
}

export const managersOf = ({ metadata }: KubeObject): readonly ManagedFields[] =>
  (metadata as { managedFields?: readonly ManagedFields[] }).managedFields ?? []

export const namesOf = (objects: readonly KubeObject[]): string[] =>
  objects.map(({ metadata }) => metadata.name ?? '')

/** Runs kubectl, which must end well. */
export async function kubectl(
  server: ContractServer,
  args: readonly string[],
  input?: string,
): Promise<string> {
  const { code, out, err } = await ended(server, args, input)
  assert.equal(code, 0, `kubectl ${args.join(' ')}: ${err}${out}`)
  return out
}

export async function ended(
  { kubectl }: ContractServer,
  args: readonly string[],
  input?: string,
): Promise<Ended> {
  assert.ok(kubectl, 'the server has no kubectl')
  return kubectl(args, input)
}
