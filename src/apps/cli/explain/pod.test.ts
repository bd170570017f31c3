import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { manualClock } from '../../../../test/manual-clock.ts'
import { memoryKube } from '../../../../test/memory-kube.ts'
import type { KubeObject, Resource } from '../../../apis/object.ts'
import { type Pod, pods } from '../../../apis/pod.ts'
import { ApiError } from '../../../ports/kube.ts'
import { plain } from '../paint.ts'
import type { Asking } from './asking.ts'
import { explainPod, type PodFacts } from './pod.ts'

/** Of a cluster that has this pod and nothing else. */
function askingOf(pod: Pod): Asking {
  const missing = { code: 404, reason: 'NotFound', said: 'not found' }
  const kube = {
    ...memoryKube(),
    get: async <T extends KubeObject>(of: Resource<T>): Promise<T> => {
      if (of.plural !== pods.plural || of.group !== '') throw new ApiError('get', missing)
      return pod as KubeObject as T
    },
  }
  return { kube, clock: manualClock(), entries: '', namespace: 'shop', usual: 'default' }
}

void describe('explaining a pod', () => {
  void test('names native sidecars with what they have, and no other init container', async () => {
    const cpu = (amount: string) => ({ requests: { cpu: amount }, limits: { cpu: amount } })
    const pod: Pod = {
      metadata: { namespace: 'shop', name: 'web' },
      spec: {
        containers: [{ name: 'app', resources: cpu('500m') }],
        initContainers: [
          { name: 'proxy', restartPolicy: 'Always', resources: cpu('100m') },
          { name: 'migrate', resources: cpu('200m') },
        ],
      },
      status: {
        phase: 'Running',
        containerStatuses: [{ name: 'app', restartCount: 0, resources: cpu('500m') }],
        initContainerStatuses: [{ name: 'proxy', restartCount: 2, resources: cpu('150m') }],
      },
    }
    const { data } = await explainPod(askingOf(pod), 'web')
    const { containers } = data as PodFacts
    assert.deepEqual(
      containers.map(({ name, limit, restarts }) => [name, limit, restarts]),
      [
        ['app', 500, 0],
        ['proxy', 150, 2],
      ],
    )
  })

  void test('of one that no node has yet says who knows why', async () => {
    const { text } = await explainPod(
      askingOf({
        metadata: { namespace: 'shop', name: 'web' },
        spec: { containers: [{ name: 'app' }] },
        status: { phase: 'Pending' },
      }),
      'web',
    )
    const said = text({ width: Infinity, isWide: true, paint: plain })
    assert.match(said, /^ {2}gets {5}nothing yet: it is not scheduled/m)
    assert.match(said, /kubectl describe pod web -n shop$/m)
    assert.doesNotMatch(said, /agent/)
  })
})
