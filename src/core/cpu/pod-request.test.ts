import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { container, pod } from '../../../test/cpu/policies.ts'
import { each } from '../../../test/each.ts'
import { exclusiveCpus, exclusiveCpusOfPod } from './pod-request.ts'

void describe('core/cpu: exclusive CPUs of a pod', () => {
  each(
    [
      { name: 'whole CPUs of a Guaranteed pod', cpus: 2, gives: 2, given: {} },
      { name: 'parts of a CPU are shared', cpus: 1.5, gives: 0, given: {} },
      { name: 'none of a Burstable pod', cpus: 2, gives: 0, given: { isGuaranteed: false } },
      { name: 'none of a pod with its own', cpus: 2, gives: 0, given: { hasPodResources: true } },
    ],
    ({ cpus, gives, given }) => {
      const one = container('a', cpus)
      assert.equal(exclusiveCpus({ ...pod('p', one), ...given }, one), gives)
    },
  )

  each(
    [
      { name: 'containers add up', containers: [container('a', 2), container('b', 3)], gives: 5 },
      {
        name: 'an init container counts alone',
        containers: [container('i', 6, 'init'), container('a', 2)],
        gives: 6,
      },
      {
        name: 'a sidecar counts beside the others',
        containers: [container('s', 3, 'sidecar'), container('a', 2)],
        gives: 5,
      },
      {
        name: 'an init container counts with the sidecars before it',
        containers: [
          container('i', 4, 'init'),
          container('s', 3, 'sidecar'),
          container('j', 3, 'init'),
          container('a', 1),
        ],
        gives: 6,
      },
    ],
    ({ containers, gives }) => assert.equal(exclusiveCpusOfPod(pod('p', ...containers)), gives),
  )

  void test('what is shared does not count', () => {
    assert.equal(exclusiveCpusOfPod(pod('p', container('a', 2), container('b', 0.5))), 2)
  })
})
