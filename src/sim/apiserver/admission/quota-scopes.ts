/** Which pods a quota is about: those of all its scopes. */
import { qosClassOf } from '../../../apis/pod-qos.ts'
import type { Pod, PodAffinity, PodAffinityTerm } from '../kinds/pod/types.ts'
import type { QuotaSpec, ScopeExpression } from '../kinds/resource-quota.ts'

/** Of anything but pods, only quotas without scopes know. */
export function matchesScopes(
  { scopes = [], scopeSelector }: QuotaSpec,
  pod: Pod | undefined,
): boolean {
  const expressions = [
    ...scopes.map((scopeName): ScopeExpression => ({ scopeName, operator: 'Exists' })),
    ...(scopeSelector?.matchExpressions ?? []),
  ]
  return expressions.every((expression) => pod !== undefined && matches(pod, expression))
}

function matches(pod: Pod, expression: ScopeExpression): boolean {
  const { activeDeadlineSeconds } = pod.spec
  switch (expression.scopeName) {
    case 'Terminating':
      return activeDeadlineSeconds !== undefined
    case 'NotTerminating':
      return activeDeadlineSeconds === undefined
    case 'BestEffort':
      return qosClassOf(pod.spec) === 'BestEffort'
    case 'NotBestEffort':
      return qosClassOf(pod.spec) !== 'BestEffort'
    case 'PriorityClass':
      return matchesClass(pod.spec.priorityClassName, expression)
    case 'CrossNamespacePodAffinity':
      return affinityTerms(pod).some(
        ({ namespaces = [], namespaceSelector }) =>
          namespaces.length > 0 || namespaceSelector !== undefined,
      )
    default:
      return false
  }
}

function matchesClass(
  name: string | undefined,
  { operator, values = [] }: ScopeExpression,
): boolean {
  const isNamed = name !== undefined && name !== ''
  if (operator === 'Exists') return isNamed
  if (operator === 'DoesNotExist') return !isNamed
  const isIn = isNamed && values.includes(name)
  return operator === 'NotIn' ? !isIn : isIn
}

const affinityTerms = ({ spec: { affinity } }: Pod): PodAffinityTerm[] => [
  ...termsOf(affinity?.podAffinity),
  ...termsOf(affinity?.podAntiAffinity),
]

const termsOf = (affinity: PodAffinity = {}): PodAffinityTerm[] => [
  ...(affinity.requiredDuringSchedulingIgnoredDuringExecution ?? []),
  ...(affinity.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(
    ({ podAffinityTerm }) => podAffinityTerm ?? [],
  ),
]
