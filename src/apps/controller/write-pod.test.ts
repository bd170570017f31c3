import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { cpu as resources, podObject } from '../../../test/controller-pods.ts'
import { cpu } from '../../../test/resizes.ts'
import type { KubeObject } from '../../apis/object.ts'
import type { Kube } from '../../ports/kube.ts'
import { seePod } from './seen-pod.ts'
import { createPodWriter } from './write-pod.ts'

const { signal } = new AbortController()
const pod = seePod(
  podObject({
    spec: {
      initContainers: [
        { name: 'proxy', restartPolicy: 'Always', resources: resources('50m', '100m') },
      ],
    },
  }),
)

function record() {
  const asked: unknown[] = []
  const patch = async <T extends KubeObject>(
    ...[, at, patch, options]: Parameters<Kube['patch']>
  ): Promise<T> => {
    asked.push({ at, patch, purpose: options?.purpose })
    return Promise.resolve({ metadata: { resourceVersion: '9' } } as T)
  }
  return { asked, writer: createPodWriter({ patch }) }
}

void describe('apps/controller: writing a pod', () => {
  void test('all containers and sidecars are resized in one request, of one version of the pod', async () => {
    const { asked, writer } = record()
    const to = [cpu('app', 150), cpu('proxy', undefined, 200)]
    assert.equal(await writer.resize(pod, { to, version: '7' }, signal), '9')
    assert.deepEqual(asked, [
      {
        at: { namespace: 'shop', name: 'web', subresource: 'resize' },
        patch: {
          type: 'strategic',
          body: {
            metadata: { resourceVersion: '7' },
            spec: {
              containers: [{ name: 'app', resources: { requests: { cpu: '150m' } } }],
              initContainers: [{ name: 'proxy', resources: { limits: { cpu: '200m' } } }],
            },
          },
        },
        purpose: 'write',
      },
    ])
  })

  void test('what it had first is noted, though it has something else by now', async () => {
    const { asked, writer } = record()
    await writer.recordOriginal({ ...pod, original: [cpu('app', 50, 80)] }, signal)
    assert.match(JSON.stringify(asked), /app[^}]*50m[^}]*80m/)
  })

  void test('its original values are noted on it, and the note is taken away again', async () => {
    const { asked, writer } = record()
    await writer.recordOriginal(pod, signal)
    await writer.dropOriginal(pod, signal)
    const text =
      '{"app":{"request":"100m","limit":"200m"},"proxy":{"request":"50m","limit":"100m"}}'
    const at = { namespace: 'shop', name: 'web' }
    const metadata = (annotation: string | null) => ({
      resourceVersion: '7',
      annotations: { 'mbcas.io/original-cpu': annotation },
    })
    const noted = { apiVersion: 'v1', kind: 'Pod', metadata: { ...at, ...metadata(text) } }
    const fieldManager = 'mbcas-controller'
    assert.deepEqual(asked, [
      { at, patch: { type: 'apply', body: noted, fieldManager, force: true }, purpose: 'status' },
      { at, patch: { type: 'merge', body: { metadata: metadata(null) } }, purpose: 'status' },
    ])
  })
})
