/** The kinds that every cluster has: names from discovery, shapes from the API, rules from here. */
import { crdRules } from '../crd/rules.ts'
import { apiVersionOf, type ResourceType } from '../resource-type.ts'
import { type BuiltInNames, builtInNames } from '../types/names.ts'
import { shapeOf } from '../types/shape-of.ts'
import { configMapRules } from './config-map.ts'
import { daemonSetRules } from './daemon-set.ts'
import { deploymentRules } from './deployment.ts'
import { eventRules } from './event.ts'
import { jobRules } from './job.ts'
import type { KindRules } from './kind-rules.ts'
import { leaseRules } from './lease.ts'
import { limitRangeRules } from './limit-range.ts'
import { namespaceRules } from './namespace.ts'
import { newEventsType } from './new-events.ts'
import { nodeRules } from './node.ts'
import { podDisruptionBudgetRules } from './pod-disruption-budget.ts'
import { podRules } from './pod/rules.ts'
import { priorityClassRules } from './priority-class.ts'
import { bindingRules, roleRules } from './rbac.ts'
import { replicaSetRules } from './replica-set.ts'
import { resourceQuotaRules } from './resource-quota.ts'
import { secretRules } from './secret.ts'
import { serviceAccountRules } from './service-account.ts'
import { serviceRules } from './service.ts'

const rules: Readonly<Record<string, KindRules>> = {
  ClusterRole: roleRules,
  ClusterRoleBinding: bindingRules,
  ConfigMap: configMapRules,
  CustomResourceDefinition: crdRules,
  DaemonSet: daemonSetRules,
  Deployment: deploymentRules,
  Event: eventRules,
  Job: jobRules,
  Lease: leaseRules,
  LimitRange: limitRangeRules,
  Namespace: namespaceRules,
  Node: nodeRules,
  Pod: podRules,
  PodDisruptionBudget: podDisruptionBudgetRules,
  PriorityClass: priorityClassRules,
  ReplicaSet: replicaSetRules,
  ResourceQuota: resourceQuotaRules,
  Role: roleRules,
  RoleBinding: bindingRules,
  Secret: secretRules,
  Service: serviceRules,
  ServiceAccount: serviceAccountRules,
}

/** Kinds that are only ever asked, such as SelfSubjectReview: nothing of them is kept. */
const noRules: KindRules = {
  strategy: {},
  columns: [],
  selectableFields: {},
  hasGeneration: false,
}

function join(names: BuiltInNames): ResourceType {
  const apiVersion = apiVersionOf(names)
  const shape = shapeOf(apiVersion, names.kind)
  if (shape === undefined)
    throw new Error(`joining built-in types: expected a shape of ${apiVersion} ${names.kind}`)
  return { ...names, shape, ...(rules[names.kind] ?? noRules) }
}

export function builtInTypes(): readonly ResourceType[] {
  const types = builtInNames.map(join)
  const events = types.find(({ group, plural }) => group === '' && plural === 'events')
  return events === undefined ? types : [...types, newEventsType(events)]
}
