/** Numbers of pods that may be written as a part of all, such as 25%. */
import type { FieldError } from '../../refusal.ts'
import { negative, wrong } from './field-errors.ts'
import { ruleText } from './names.ts'

export type IntOrPercent = number | string

/** How a workload goes from one template to the next. */
export type UpdateStrategy = {
  readonly type?: string
  readonly rollingUpdate?: {
    readonly maxSurge?: IntOrPercent
    readonly maxUnavailable?: IntOrPercent
  }
}

const percentText = ruleText(
  "a valid percent string must be a numeric string followed by an ending '%'",
  { examples: ['1%', '93%'], pattern: '[0-9]+%' },
)
const isPercent = /^\d+%$/

export const isZero = (value: IntOrPercent | undefined): boolean =>
  value === undefined || value === 0 || (typeof value === 'string' && Number.parseInt(value) === 0)

export function checkIntOrPercent(value: IntOrPercent | undefined, field: string): FieldError[] {
  if (typeof value !== 'string') return negative(field, value)
  return isPercent.test(value) ? [] : [wrong(field, value, percentText)]
}

export const checkAtMostAll = (value: IntOrPercent | undefined, field: string): FieldError[] =>
  typeof value === 'string' && isPercent.test(value) && Number.parseInt(value) > 100
    ? [wrong(field, value, 'must not be greater than 100%')]
    : []
