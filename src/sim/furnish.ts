/** What a new cluster has before anybody comes: namespaces, its own service, and classes for its pods. */
import type { Api } from './apiserver/api.ts'
import { namespaces, priorityClasses, services } from './resources.ts'

const manager = 'kube-apiserver'

const ownNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system']
const ownClasses = [
  {
    name: 'system-cluster-critical',
    value: 2_000_000_000,
    description: 'For pods without which the cluster does not work, on whatever node.',
  },
  {
    name: 'system-node-critical',
    value: 2_000_001_000,
    description: 'For pods without which their node does not work.',
  },
]

/** The API server as pods would find it, at the first address for services. */
const ownService = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name: 'kubernetes',
    namespace: 'default',
    labels: { component: 'apiserver', provider: 'kubernetes' },
  },
  spec: {
    clusterIP: '10.96.0.1',
    ports: [{ name: 'https', port: 443, targetPort: 6443 }],
    type: 'ClusterIP',
  },
}

export function furnish(api: Api): void {
  for (const name of ownNamespaces) {
    api.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, { manager })
  }
  for (const { name, value, description } of ownClasses) {
    const object = {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name },
      value,
      description,
    }
    api.create(priorityClasses, object, { manager })
  }
  api.create(services, ownService, { manager })
}
