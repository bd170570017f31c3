/** Whether a node is one that a pod asks for: `nodeSelector` and required node affinity. */
import { memberOf } from '../apiserver/members.ts'
import { meetsRequirement } from '../label-selector.ts'
import type { NodeRequirement, NodeSelectorTerm, SimPodSpec } from './pod.ts'

type NamedLabels = {
  readonly metadata: {
    readonly name: string
    readonly labels?: Readonly<Record<string, string>>
  }
}

export function matchesNode({ nodeSelector, affinity }: SimPodSpec, node: NamedLabels): boolean {
  const { labels = {} } = node.metadata
  for (const name in nodeSelector) if (memberOf(labels, name) !== nodeSelector[name]) return false
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  return required === undefined || required.nodeSelectorTerms.some((term) => holds(term, node))
}

/** A term without requirements matches no node. */
function holds({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, node: NamedLabels) {
  if (matchExpressions.length + matchFields.length === 0) return false
  return (
    matchExpressions.every((one) => isMet(one, memberOf(node.metadata.labels ?? {}, one.key))) &&
    matchFields.every((one) => isMet(one, node.metadata.name))
  )
}

function isMet(requirement: NodeRequirement, value: string | undefined): boolean {
  const { operator, values: [bound] = [] } = requirement
  if (operator === 'Gt') return Number(value) > Number(bound)
  if (operator === 'Lt') return Number(value) < Number(bound)
  return meetsRequirement(requirement, value)
}
