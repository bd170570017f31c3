import assert from 'node:assert/strict'
import { describe } from 'node:test'

import {
  allocationObject,
  cpu as resources,
  notedWith,
  podObject,
} from '../../../test/controller-pods.ts'
import { each } from '../../../test/each.ts'
import { cpu } from '../../../test/resizes.ts'
import type { PodAllocationStatus } from '../../apis/pod-allocation.ts'
import { seePod } from './seen-pod.ts'
import { lacksNote, withWitness } from './witness.ts'

const tells = (originalCPURequest: string, originalCPULimit: string): PodAllocationStatus => ({
  containers: [{ name: 'app', originalCPURequest, originalCPULimit }],
})
const noted = notedWith('{"app":{"request":"70m"}}')
const first = [cpu('app', 50, 80)]

void describe('apps/controller: what the status says that a pod had first', () => {
  each(
    [
      { name: 'counts for a pod without a note', is: first, lacks: true },
      {
        name: 'not where the note is there',
        metadata: noted,
        is: [cpu('app', 70)],
        lacks: false,
      },
      {
        name: 'but where the note is not ours',
        metadata: { ...noted, managedFields: [] },
        is: first,
        lacks: true,
      },
      { name: 'not of an earlier pod of the name', podUID: 'uid-old', is: undefined, lacks: false },
      {
        name: 'nor in a namespace of the system',
        metadata: { namespace: 'kube-system' },
        is: undefined,
        lacks: false,
      },
      {
        name: 'nor where the pod has just that again',
        status: tells('0.1', '200m'),
        is: undefined,
        lacks: false,
      },
      { name: 'and nothing counts where it says nothing', status: {}, is: undefined, lacks: false },
      {
        name: 'nor what cannot be read',
        status: tells('50m', '1e999999'),
        is: undefined,
        lacks: false,
      },
      {
        name: 'of a container that it does not tell of, what it has now',
        containers: [
          { name: 'app', resources: resources('100m', '200m') },
          { name: 'log', resources: resources('10m') },
        ],
        is: [...first, cpu('log', 10)],
        lacks: true,
      },
    ],
    ({
      metadata = {},
      podUID = 'uid-web',
      status = tells('50m', '80m'),
      containers,
      is,
      lacks,
    }) => {
      const { metadata: plain } = podObject()
      const object = podObject({
        metadata: { ...plain, ...metadata },
        ...(containers && { spec: { containers } }),
      })
      const pod = withWitness(seePod(object), { ...allocationObject({ podUID }), status })
      assert.deepEqual(pod.original, is)
      assert.equal(lacksNote(pod), lacks)
    },
  )
})
