/** Labels and the selectors over them: what is allowed, how kubectl prints them. */
import type { LabelSelector } from '../../../label-selector.ts'
import type { FieldError } from '../../refusal.ts'
import { all, forbiddenField, required, wrong } from './field-errors.ts'
import { checkLabelValue, checkQualifiedName } from './names.ts'

export type Labels = Readonly<Record<string, string>>

export function checkLabels(labels: Labels | undefined, field: string): FieldError[] {
  const errors: FieldError[] = []
  for (const [key, value] of Object.entries(labels ?? {})) {
    errors.push(...all(field, key, checkQualifiedName(key)))
    errors.push(...all(field, value, checkLabelValue(value)))
  }
  return errors
}

export function checkSelector(selector: LabelSelector | undefined, field: string): FieldError[] {
  const errors = checkLabels(selector?.matchLabels, `${field}.matchLabels`)
  for (const [index, expression] of (selector?.matchExpressions ?? []).entries()) {
    const { key = '', operator, values = [] } = expression
    const at = `${field}.matchExpressions[${index}]`
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0)
        errors.push(
          required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'"),
        )
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0)
        errors.push(
          forbiddenField(
            `${at}.values`,
            "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
          ),
        )
    } else errors.push(wrong(`${at}.operator`, operator, 'not a valid selector operator'))
    errors.push(...all(`${at}.key`, key, checkQualifiedName(key)))
    for (const [place, value] of values.entries())
      errors.push(...all(`${at}.values[${place}]`, value, checkLabelValue(value)))
  }
  return errors
}

export const isEmptySelector = (selector: LabelSelector): boolean =>
  Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length === 0

const byName = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/** As refusals show them: Go prints maps by key. */
export const shownLabels = (labels: Labels | undefined): Labels | null =>
  labels === undefined
    ? null
    : Object.fromEntries(Object.entries(labels).toSorted(([a], [b]) => byName(a, b)))

export const shownSelector = (selector: LabelSelector | undefined): object | null =>
  selector === undefined
    ? null
    : {
        ...(selector.matchLabels && { matchLabels: shownLabels(selector.matchLabels) }),
        ...(selector.matchExpressions && { matchExpressions: selector.matchExpressions }),
      }

/** As in a query: `app=web,tier in (a,b),!old`, by key. */
export function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const signs: Readonly<Record<string, string>> = { In: 'in', NotIn: 'notin' }
  const parts = [
    ...Object.entries(matchLabels).map(([key, value]) => ({ key, text: `${key}=${value}` })),
    ...matchExpressions.map(({ key = '', operator, values = [] }) => {
      if (operator === 'Exists') return { key, text: key }
      if (operator === 'DoesNotExist') return { key, text: `!${key}` }
      return { key, text: `${key} ${signs[operator]} (${values.toSorted().join(',')})` }
    }),
  ]
  return parts
    .toSorted((a, b) => byName(a.key, b.key))
    .map(({ text }) => text)
    .join(',')
}

export function labelsText(labels: Labels = {}): string {
  const parts = Object.keys(labels)
    .toSorted()
    .map((key) => `${key}=${labels[key]}`)
  return parts.length === 0 ? '<none>' : parts.join(',')
}
