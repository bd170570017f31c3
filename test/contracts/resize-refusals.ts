/** Amounts that `pods/resize` refuses, whatever the node, in the server's words. */
import type { Case } from './case.ts'
import { container, resources } from './objects.ts'
import { json, main, refusedCase, type RefusedRow } from './resize-rows.ts'

const withoutLimits = {
  containers: [container('main', { resources: resources({ cpu: '20m', memory: '32Mi' }) })],
}
const equal = { cpu: '50m', memory: '32Mi' }
const guaranteed = { containers: [container('main', { resources: resources(equal, equal) })] }
const bestEffort = { containers: [container('main')] }
const withStorage = {
  containers: [
    container('main', {
      resources: resources(
        { cpu: '20m', 'ephemeral-storage': '1Mi', 'example.com/gpu': '1' },
        { 'example.com/gpu': '1' },
      ),
    }),
  ],
}

const rows: readonly RefusedRow[] = [
  {
    name: 'Burstable to Guaranteed',
    patch: main({ resources: { requests: { cpu: '100m', memory: '64Mi' } } }),
    said: 'Pod "p" is invalid: spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
  },
  {
    name: 'Guaranteed to Burstable',
    pod: guaranteed,
    patch: main({ resources: { requests: { cpu: '40m' } } }),
    said: 'Pod "p" is invalid: spec: Invalid value: "Guaranteed": Pod QOS Class may not change as a result of resizing',
  },
  {
    name: 'BestEffort to Burstable',
    pod: bestEffort,
    patch: main({ resources: { requests: { cpu: '40m' } } }),
    said: 'Pod "p" is invalid: spec: Invalid value: "BestEffort": Pod QOS Class may not change as a result of resizing',
  },
  {
    name: 'BestEffort to Guaranteed',
    pod: bestEffort,
    patch: main({ resources: { limits: equal } }),
    said: 'Pod "p" is invalid: spec: Invalid value: "BestEffort": Pod QOS Class may not change as a result of resizing',
  },
  {
    name: 'a request removed',
    pod: withoutLimits,
    patch: main({ resources: { requests: { memory: null } } }),
    said: 'Pod "p" is invalid: spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed',
  },
  {
    name: 'a limit removed',
    patch: main({ resources: { limits: { cpu: null } } }),
    said: 'Pod "p" is invalid: spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed',
  },
  {
    name: 'all requests removed',
    patch: json({ op: 'remove', path: '/spec/containers/0/resources/requests' }),
    said: 'Pod "p" is invalid: spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
  },
  {
    name: 'all resources removed',
    patch: json({ op: 'remove', path: '/spec/containers/0/resources' }),
    said: 'Pod "p" is invalid: [spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing, spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed, spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed]',
  },
  {
    name: 'ephemeral storage changed',
    pod: withStorage,
    patch: main({ resources: { requests: { 'ephemeral-storage': '2Mi' } } }),
    said: 'Pod "p" is invalid: spec: Forbidden: only cpu and memory resources are mutable',
  },
  {
    name: 'an extended resource changed',
    pod: withStorage,
    patch: main({
      resources: { requests: { 'example.com/gpu': '2' }, limits: { 'example.com/gpu': '2' } },
    }),
    said: 'Pod "p" is invalid: spec: Forbidden: only cpu and memory resources are mutable',
  },
  {
    name: 'an extended resource added',
    patch: main({
      resources: { requests: { 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '1' } },
    }),
    said: 'Pod "p" is invalid: spec: Forbidden: only cpu and memory resources are mutable',
  },
  {
    name: 'a request above the limit',
    patch: main({ resources: { requests: { cpu: '150m' } } }),
    said: 'Pod "p" is invalid: spec.containers[0].resources.requests: Invalid value: "150m": must be less than or equal to cpu limit of 100m',
  },
  {
    name: 'a memory request above the limit',
    patch: main({ resources: { requests: { memory: '65Mi' } } }),
    said: 'Pod "p" is invalid: spec.containers[0].resources.requests: Invalid value: "65Mi": must be less than or equal to memory limit of 64Mi',
  },
  {
    name: 'a limit below the request',
    patch: main({ resources: { limits: { cpu: '10m' } } }),
    said: 'Pod "p" is invalid: spec.containers[0].resources.requests: Invalid value: "20m": must be less than or equal to cpu limit of 10m',
  },
  {
    name: 'a negative request',
    patch: main({ resources: { requests: { cpu: '-1' } } }),
    said: 'Pod "p" is invalid: spec.containers[0].resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0',
  },
  {
    name: 'a quantity that cannot be read',
    patch: main({ resources: { requests: { cpu: 'much' } } }),
    said: ' "" is invalid: patch: Invalid value: "map[spec:map[containers:[map[name:main resources:map[requests:map[cpu:much]]]]]]": quantities must match the regular expression \'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$\'',
  },
]

export const resizeRefusalCases: readonly Case[] = rows.map(refusedCase)
