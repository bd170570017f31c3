/** The resources that parts of the cluster read and write. */
import type { ResourceRef } from './apiserver/api.ts'

export const pods: ResourceRef = { group: '', plural: 'pods' }
export const nodes: ResourceRef = { group: '', plural: 'nodes' }
export const namespaces: ResourceRef = { group: '', plural: 'namespaces' }
export const configMaps: ResourceRef = { group: '', plural: 'configmaps' }
export const serviceAccounts: ResourceRef = { group: '', plural: 'serviceaccounts' }
export const resourceQuotas: ResourceRef = { group: '', plural: 'resourcequotas' }
export const events: ResourceRef = { group: '', plural: 'events' }
export const services: ResourceRef = { group: '', plural: 'services' }
export const limitRanges: ResourceRef = { group: '', plural: 'limitranges' }
export const deployments: ResourceRef = { group: 'apps', plural: 'deployments' }
export const replicaSets: ResourceRef = { group: 'apps', plural: 'replicasets' }
export const daemonSets: ResourceRef = { group: 'apps', plural: 'daemonsets' }
export const jobs: ResourceRef = { group: 'batch', plural: 'jobs' }
export const disruptionBudgets: ResourceRef = { group: 'policy', plural: 'poddisruptionbudgets' }
export const leases: ResourceRef = { group: 'coordination.k8s.io', plural: 'leases' }
export const priorityClasses: ResourceRef = {
  group: 'scheduling.k8s.io',
  plural: 'priorityclasses',
}
export const definitions: ResourceRef = {
  group: 'apiextensions.k8s.io',
  plural: 'customresourcedefinitions',
}
