import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../test/each.ts'
import { readPod } from './pod-file.ts'

const podOf = (container: object, spec: object = {}) => ({
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'main', image: 'web', ...container }], ...spec },
})

void describe('a pod in a file', () => {
  void test('may have amounts as numbers', () => {
    const limits = { cpu: 2, memory: '1Gi', 'example.com/gpu': 1 }
    const { spec } = readPod(podOf({ resources: { limits } }), 'pod.yaml')
    const asked = { cpu: '2', memory: '1Gi', 'example.com/gpu': '1' }
    assert.deepEqual(spec.containers, [{ name: 'main', resources: { limits: asked } }])
  })

  void test('may have keys without values', () => {
    const empty = { resources: null, initContainers: null }
    const { spec } = readPod(podOf({ resources: { limits: null } }, empty), 'pod.yaml')
    assert.equal(spec.resources, undefined)
    assert.deepEqual(spec.initContainers, [])
    assert.equal(spec.containers[0]?.resources?.limits, undefined)
  })

  each<{ name: string; pod: object; message: string }>(
    [
      {
        name: 'needs a spec',
        pod: { kind: 'Pod', metadata: { name: 'web' } },
        message: 'pod.yaml: expected spec, got nothing',
      },
      {
        name: 'needs containers',
        pod: podOf({}, { containers: null }),
        message: 'pod.yaml: spec: expected containers to be a list of containers, got null',
      },
      {
        name: 'needs amounts that are quantities',
        pod: podOf({ resources: { limits: { cpu: '2 cores' } } }),
        message:
          'pod.yaml: pod default/web: container 1: resources.limits: cpu: parsing quantity "2 cores": expected a suffix such as m, k, Ki or e3, got " cores" at character 2',
      },
      {
        name: 'needs amounts of 0 or more',
        pod: podOf({ resources: { limits: { cpu: -1 } } }),
        message:
          'pod.yaml: pod default/web: container 1: resources.limits: cpu: expected 0 or more, got -1',
      },
      {
        name: 'needs names of its init containers, too',
        pod: podOf({}, { initContainers: [{ image: 'setup' }] }),
        message: 'pod.yaml: pod default/web: init container 1: expected name, got nothing',
      },
    ],
    ({ pod, message }) => {
      assert.throws(() => readPod(pod, 'pod.yaml'), { name: 'InvalidInput', message })
    },
  )
})
