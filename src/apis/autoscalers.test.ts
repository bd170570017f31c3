import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { type HorizontalPodAutoscaler, projectHpa } from './hpa.ts'
import { projectVpa, type VerticalPodAutoscaler } from './vpa.ts'

const metadata = { name: 'web', namespace: 'shop' }
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }

void describe('apis: autoscalers of Kubernetes', () => {
  void test('of a horizontal one, whose replicas it counts and by what is kept', () => {
    const spec: HorizontalPodAutoscaler['spec'] = {
      scaleTargetRef: target,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization' } } },
        { type: 'External' },
      ],
    }
    const given = { metadata: { ...metadata, uid: 'u1' }, spec, status: { currentReplicas: 3 } }
    const kept = projectHpa(given)
    assert.deepEqual(kept, { metadata, spec })
    assert.deepEqual(projectHpa(kept), kept)
  })

  void test('of a vertical one, whose pods it sizes and whether it acts is kept', () => {
    const spec: VerticalPodAutoscaler['spec'] = {
      targetRef: target,
      updatePolicy: { updateMode: 'Off' },
      resourcePolicy: { containerPolicies: [{ containerName: '*', mode: 'Off' }] },
    }
    const given = { metadata: { ...metadata, uid: 'u1' }, spec, status: { recommendation: {} } }
    const kept = projectVpa(given)
    assert.deepEqual(kept, { metadata, spec })
    assert.deepEqual(projectVpa(kept), kept)
  })
})
