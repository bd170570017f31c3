/** A LabelSelector as specs write it (not the text form of queries). */
import { memberOf } from './apiserver/members.ts'

export type LabelSelector = {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly LabelRequirement[]
}

type LabelRequirement = {
  /** Missing in what has not been validated. */
  readonly key?: string
  readonly operator: string
  readonly values?: readonly string[]
}

type Labels = Readonly<Record<string, string>> | undefined

/** An empty selector matches everything, a missing one nothing. */
export function matchesLabels(selector: LabelSelector | undefined, labels: Labels): boolean {
  if (selector === undefined) return false
  const { matchLabels = {}, matchExpressions = [] } = selector
  return (
    Object.entries(matchLabels).every(([key, value]) => memberOf(labels ?? {}, key) === value) &&
    matchExpressions.every((one) => meetsRequirement(one, memberOf(labels ?? {}, one.key ?? '')))
  )
}

export function meetsRequirement(
  { operator, values = [] }: LabelRequirement,
  value: string | undefined,
): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    default:
      return false
  }
}
