/** metrics-server, as an aggregated API: where VPA learns what pods use. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { pathOf, real } from '../../real.ts'
import { until } from '../../until.ts'
import { freePort } from './free-port.ts'
import { metricResolution } from './frozen.ts'
import { type Program, startProgram } from './program.ts'

export type Place = {
  readonly kubeconfig: string
  readonly folder: string
  readonly group: string
  readonly kubectl: (...args: readonly string[]) => Promise<string>
  readonly apply: (object: object) => Promise<void>
}

export async function startMetricsServer(place: Place): Promise<Program> {
  const { kubeconfig, folder, group, kubectl } = place
  const certificates = join(folder, 'metrics-server')
  mkdirSync(certificates)
  const port = await freePort()
  for (const object of objectsOf(port)) await place.apply(object)
  const program = startProgram(group, pathOf(real.metricsServer), {
    kubeconfig,
    'authentication-kubeconfig': kubeconfig,
    'authorization-kubeconfig': kubeconfig,
    'authentication-skip-lookup': 'true', // this API server publishes no authority for clients
    'bind-address': '127.0.0.1',
    'secure-port': String(port),
    'cert-dir': certificates,
    'kubelet-insecure-tls': 'true', // the kubelet's certificate is its own
    'kubelet-preferred-address-types': 'InternalIP',
    'metric-resolution': metricResolution,
    'kubelet-request-timeout': '5s', // it must be less
  })
  await until(
    'metrics of the node',
    async () => {
      program.check()
      return kubectl('get', '--raw=/apis/metrics.k8s.io/v1beta1/nodes').then(
        (text) => (JSON.parse(text) as { items: readonly unknown[] }).items.length > 0,
        () => false,
      )
    },
    program.said,
  )
  return program
}

const name = 'metrics-server'
const namespace = 'kube-system'

/** Without kube-proxy the API server finds it by a name, which is its address on loopback. */
const objectsOf = (port: number): readonly object[] => [
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { type: 'ExternalName', externalName: '127.0.0.1', ports: [{ port }] },
  },
  {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1beta1.metrics.k8s.io' },
    spec: {
      service: { name, namespace, port },
      group: 'metrics.k8s.io',
      version: 'v1beta1',
      insecureSkipTLSVerify: true,
      groupPriorityMinimum: 100,
      versionPriority: 100,
    },
  },
  // The API server of this cluster has no certificate to show it, so it comes as nobody.
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name },
    rules: [
      { apiGroups: ['metrics.k8s.io'], resources: ['*'], verbs: ['get', 'list'] },
      { nonResourceURLs: ['/apis', '/apis/*', '/openapi/*'], verbs: ['get'] },
    ],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'system:anonymous' }],
  },
]
