import assert from 'node:assert/strict'

import { each } from '../../../test/each.ts'
import { named } from '../../../test/sim/kubelets.ts'
import type { Taint } from './node.ts'
import type { Toleration } from './pod.ts'
import { secondsToStay, untolerated } from './tolerations.ts'

const taint = (more: Partial<Taint> = {}): Taint => ({ key: 'a', effect: 'NoSchedule', ...more })
const rows: readonly {
  name: string
  tolerations: readonly Toleration[]
  taint?: Partial<Taint>
  bears: boolean
}[] = [
  { name: 'no toleration keeps the pod away', tolerations: [], bears: false },
  {
    name: 'equal key and value lets it come',
    tolerations: [{ key: 'a', value: 'x' }],
    taint: { value: 'x' },
    bears: true,
  },
  {
    name: 'another value keeps the pod away',
    tolerations: [{ key: 'a', value: 'y' }],
    taint: { value: 'x' },
    bears: false,
  },
  {
    name: 'any value of the key lets it come',
    tolerations: [{ key: 'a', operator: 'Exists' }],
    taint: { value: 'x' },
    bears: true,
  },
  { name: 'everything lets it come', tolerations: [{ operator: 'Exists' }], bears: true },
  {
    name: 'another effect keeps the pod away',
    tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute' }],
    bears: false,
  },
  {
    name: 'a mere preference lets it come',
    tolerations: [],
    taint: { effect: 'PreferNoSchedule' },
    bears: true,
  },
]
each(named('a taint:', rows), ({ tolerations, taint: more, bears }) => {
  assert.equal(untolerated(tolerations, [taint(more)]) === undefined, bears)
})

each(
  named('a pod stays under NoExecute:', [
    { name: 'no time without a toleration', tolerations: [], gives: 0 },
    {
      name: 'for ever with one without seconds',
      tolerations: [{ operator: 'Exists' as const }],
      gives: Infinity,
    },
    {
      name: 'the shortest of several',
      tolerations: [30, 10].map((tolerationSeconds) => ({
        key: 'a',
        operator: 'Exists' as const,
        tolerationSeconds,
      })),
      gives: 10,
    },
  ]),
  ({ tolerations, gives }) => {
    assert.equal(secondsToStay(tolerations, [taint({ effect: 'NoExecute' })]), gives)
  },
)
