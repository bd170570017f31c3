/** Patches of a pod for a resize, and the rows of those that are refused. */
import assert from 'node:assert/strict'

import { pods } from '../../src/apis/pod.ts'
import type { JsonPatchOperation, Patch } from '../../src/ports/kube.ts'
import type { Case } from './case.ts'
import { refused } from './expect.ts'
import { waitingPod } from './objects.ts'

export type RefusedRow = {
  readonly name: string
  /** Burstable with one container `main` unless given. */
  readonly pod?: Parameters<typeof waitingPod>[1]
  readonly patch: Patch
  readonly said: string | RegExp
}

/** A change of the container `main`. */
export const main = (change: object): Patch => ({
  type: 'strategic',
  body: { spec: { containers: [{ name: 'main', ...change }] } },
})

/** A change of the sidecar `side`. */
export const side = (change: object): Patch => ({
  type: 'strategic',
  body: { spec: { initContainers: [{ name: 'side', ...change }] } },
})

export const json = (...operations: JsonPatchOperation[]): Patch => ({ type: 'json', operations })

/** The pods wait for ever to be scheduled, so that no kubelet is needed; they stay as they were. */
export const refusedCase = ({ name, pod, patch, said }: RefusedRow): Case => ({
  name,
  run: async ({ kube }, { namespace }) => {
    const old = await kube.create(pods, waitingPod(namespace, pod))
    const at = { namespace, name: 'p', subresource: 'resize' } as const
    await refused(kube.patch(pods, at, patch), { code: 422, reason: 'Invalid', said })
    assert.deepEqual(await kube.get(pods, { namespace, name: 'p' }), old)
  },
})
