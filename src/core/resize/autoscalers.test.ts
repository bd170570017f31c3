import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import {
  type HorizontalAutoscaler,
  horizontalAutoscalerOf,
  type VerticalAutoscaler,
  verticalAutoscalerOf,
} from './autoscalers.ts'

const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
const owners = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-1' }, deployment]
const cpu = (type: string) => ({ name: 'cpu', target: { type } })

type Hpa = NonNullable<HorizontalAutoscaler['spec']>
type Vpa = NonNullable<VerticalAutoscaler['spec']>

void describe('core/resize/autoscalers: horizontal', () => {
  each<{ name: string; spec: Hpa; stands: boolean }>(
    [
      {
        name: 'CPU relative to the request',
        spec: { scaleTargetRef: deployment, metrics: [{ resource: cpu('Utilization') }] },
        stands: true,
      },
      {
        name: 'CPU of one container relative to its request',
        spec: { scaleTargetRef: deployment, metrics: [{ containerResource: cpu('Utilization') }] },
        stands: true,
      },
      { name: 'no metric is one on CPU', spec: { scaleTargetRef: deployment }, stands: true },
      {
        name: 'an amount of CPU does not depend on the request',
        spec: { scaleTargetRef: deployment, metrics: [{ resource: cpu('AverageValue') }] },
        stands: false,
      },
      {
        name: 'memory',
        spec: {
          scaleTargetRef: deployment,
          metrics: [{ resource: { name: 'memory', target: { type: 'Utilization' } } }],
        },
        stands: false,
      },
      {
        name: 'another version of the same workload',
        spec: { scaleTargetRef: { ...deployment, apiVersion: 'apps/v1beta2' } },
        stands: true,
      },
      {
        name: 'another group',
        spec: { scaleTargetRef: { ...deployment, apiVersion: 'example.com/v1' } },
        stands: false,
      },
      {
        name: 'another workload',
        spec: { scaleTargetRef: { ...deployment, name: 'api' } },
        stands: false,
      },
      { name: 'of nobody', spec: {}, stands: false },
    ],
    ({ spec, stands }) => {
      const autoscalers = [{ metadata: { name: 'hpa' }, spec }]
      assert.equal(horizontalAutoscalerOf({ owners, autoscalers }), stands ? 'hpa' : undefined)
    },
  )
})

void describe('core/resize/autoscalers: vertical', () => {
  const policies = (...containerPolicies: object[]): Vpa => ({
    targetRef: deployment,
    resourcePolicy: { containerPolicies },
  })
  each<{ name: string; spec: Vpa; stands: boolean }>(
    [
      { name: 'without a mode it acts', spec: { targetRef: deployment }, stands: true },
      ...['Auto', 'Recreate', 'InPlaceOrRecreate', 'InPlace'].map((updateMode) => ({
        name: `${updateMode} acts`,
        spec: { targetRef: deployment, updatePolicy: { updateMode } },
        stands: true,
      })),
      ...['Off', 'Initial'].map((updateMode) => ({
        name: `${updateMode} does not act on a pod that runs`,
        spec: { targetRef: deployment, updatePolicy: { updateMode } },
        stands: false,
      })),
      { name: 'off for all', spec: policies({ containerName: '*', mode: 'Off' }), stands: false },
      {
        name: 'off for all but one',
        spec: policies({ containerName: '*', mode: 'Off' }, { containerName: 'app' }),
        stands: true,
      },
      {
        name: 'off for one only',
        spec: policies({ containerName: 'app', mode: 'Off' }),
        stands: true,
      },
      {
        name: 'memory only',
        spec: policies({ containerName: '*', controlledResources: ['memory'] }),
        stands: false,
      },
      {
        name: 'CPU of one',
        spec: policies(
          { containerName: 'app', controlledResources: ['cpu'] },
          { containerName: '*', mode: 'Off' },
        ),
        stands: true,
      },
      { name: 'of another', spec: { targetRef: { ...deployment, kind: 'Job' } }, stands: false },
    ],
    ({ spec, stands }) => {
      const autoscalers = [{ metadata: { name: 'vpa' }, spec }]
      const found = verticalAutoscalerOf({ owners, containers: ['app', 'log'], autoscalers })
      assert.equal(found, stands ? 'vpa' : undefined)
    },
  )
})
