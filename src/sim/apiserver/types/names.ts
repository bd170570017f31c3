/** The built-in resources as a Kubernetes 1.36 API server lists them in discovery. */
import type { ResourceNames, Subresource } from '../resource-type.ts'

export type BuiltInNames = ResourceNames & { readonly subresources: readonly Subresource[] }

type Row = Partial<Omit<BuiltInNames, 'group' | 'version' | 'kind'>>

/** Ordered as the real server orders groups, and within a group by name. */
const rows: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  v1: {
    Binding: { verbs: ['create'] },
    ConfigMap: { shortNames: ['cm'] },
    Event: { shortNames: ['ev'] },
    LimitRange: { shortNames: ['limits'] },
    Namespace: {
      shortNames: ['ns'],
      namespaced: false,
      subresources: ['finalize', 'status'],
      verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
    },
    Node: { shortNames: ['no'], namespaced: false, subresources: ['status'] },
    Pod: {
      shortNames: ['po'],
      categories: ['all'],
      subresources: ['binding', 'eviction', 'log', 'resize', 'status'],
    },
    ResourceQuota: { shortNames: ['quota'], subresources: ['status'] },
    Secret: {},
    ServiceAccount: { shortNames: ['sa'], subresources: ['token'] },
    Service: { shortNames: ['svc'], categories: ['all'], subresources: ['status'] },
  },
  'apps/v1': {
    DaemonSet: { shortNames: ['ds'], categories: ['all'], subresources: ['status'] },
    Deployment: { shortNames: ['deploy'], categories: ['all'], subresources: ['scale', 'status'] },
    ReplicaSet: { shortNames: ['rs'], categories: ['all'], subresources: ['scale', 'status'] },
  },
  'authentication.k8s.io/v1': { SelfSubjectReview: { namespaced: false, verbs: ['create'] } },
  'authorization.k8s.io/v1': { SelfSubjectAccessReview: { namespaced: false, verbs: ['create'] } },
  'batch/v1': { Job: { categories: ['all'], subresources: ['status'] } },
  'policy/v1': { PodDisruptionBudget: { shortNames: ['pdb'], subresources: ['status'] } },
  'rbac.authorization.k8s.io/v1': {
    ClusterRoleBinding: { namespaced: false },
    ClusterRole: { namespaced: false },
    RoleBinding: {},
    Role: {},
  },
  'apiextensions.k8s.io/v1': {
    CustomResourceDefinition: {
      shortNames: ['crd', 'crds'],
      categories: ['api-extensions'],
      namespaced: false,
      subresources: ['status'],
    },
  },
  'scheduling.k8s.io/v1': {
    PriorityClass: { plural: 'priorityclasses', shortNames: ['pc'], namespaced: false },
  },
  'coordination.k8s.io/v1': { Lease: {} },
}

function namesOf(apiVersion: string, kind: string, row: Row): BuiltInNames {
  const slash = apiVersion.indexOf('/')
  const singular = kind.toLowerCase()
  return {
    group: apiVersion.slice(0, Math.max(slash, 0)),
    version: apiVersion.slice(slash + 1),
    kind,
    plural: `${singular}s`,
    singular,
    shortNames: [],
    categories: [],
    namespaced: true,
    subresources: [],
    ...row,
  }
}

export const builtInNames: readonly BuiltInNames[] = Object.entries(rows).flatMap(
  ([apiVersion, kinds]) =>
    Object.entries(kinds).map(([kind, row]) => namesOf(apiVersion, kind, row)),
)
