import type { ResourceRequirements } from '../../../../apis/pod.ts'
import { formatQuantity, parseQuantity, type Quantity } from '../../../../core/quantity.ts'
/** Requests and limits, of containers and of the pod as a whole. */
import { memberOf } from '../../members.ts'
import type { FieldError } from '../../refusal.ts'
import { forbiddenField, required, unsupported, wrong } from '../validate/field-errors.ts'
import {
  checkContainerResourceName,
  checkResourceName,
  isHugePages,
  isOvercommittable,
  isWhole,
} from '../validate/resource-names.ts'
import { amountsOf, isPodLevel, sumOfContainers } from './resources.ts'
import type { PodSpec } from './types.ts'

const ONE = 1_000_000_000n

type CheckName = (name: string, field: string) => FieldError[]

const checkPodName: CheckName = (name, field) => {
  const errors = checkResourceName(name, field)
  if (errors.length > 0 || isPodLevel(name)) return errors
  return [unsupported(field, name, ['cpu', 'hugepages-', 'memory'])]
}

export const checkContainerResources = (
  resources: ResourceRequirements | undefined,
  at: ResourcesAt,
): FieldError[] =>
  checkRequirements(resources ?? {}, { ...at, checkName: checkContainerResourceName })

type ResourcesAt = {
  readonly field: string
  /** What is stored already may break this rule: it came later. */
  readonly allowsPartPages: boolean
}

function checkRequirements(
  { limits = {}, requests = {} }: ResourceRequirements,
  { field, allowsPartPages, checkName }: ResourcesAt & { readonly checkName: CheckName },
): FieldError[] {
  const errors: FieldError[] = []
  const check = (name: string, { text, at }: { text: string; at: string }): void => {
    const key = `${at}[${name}]`
    errors.push(...checkName(name, key))
    const quantity = parseQuantity(text)
    if (quantity.nanos < 0n) errors.push(wrong(key, text, 'must be greater than or equal to 0'))
    if (isWhole(name) && quantity.nanos % ONE !== 0n)
      errors.push(wrong(key, text, 'must be an integer'))
  }
  const checkPages = (name: string, { text, at }: { text: string; at: string }): void => {
    if (isHugePages(name) && !allowsPartPages && !isWholePages(name, parseQuantity(text)))
      errors.push(
        wrong(`${at}[${name}]`, text, `${text} is not positive integer multiple of ${name}`),
      )
  }
  for (const [name, text] of Object.entries(limits)) {
    check(name, { text, at: `${field}.limits` })
    checkPages(name, { text, at: `${field}.limits` })
  }
  for (const [name, text] of Object.entries(requests)) {
    check(name, { text, at: `${field}.requests` })
    errors.push(...compare(name, { request: text, limit: memberOf(limits, name), field }))
    checkPages(name, { text, at: `${field}.requests` })
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)]
  if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory'))
    errors.push(forbiddenField(field, 'HugePages require cpu or memory'))
  return errors
}

function compare(
  name: string,
  of: { readonly request: string; readonly limit: string | undefined; readonly field: string },
): FieldError[] {
  const { request, limit, field } = of
  if (limit === undefined)
    return isOvercommittable(name)
      ? []
      : [required(`${field}.limits`, 'Limit must be set for non overcommitable resources')]
  const more = parseQuantity(request).nanos - parseQuantity(limit).nanos
  if (more !== 0n && !isOvercommittable(name))
    return [wrong(`${field}.requests`, request, `must be equal to ${name} limit of ${limit}`)]
  if (more > 0n)
    return [
      wrong(
        `${field}.requests`,
        request,
        `must be less than or equal to ${name} limit of ${limit}`,
      ),
    ]
  return []
}

export function isWholePages(name: string, { nanos }: Quantity): boolean {
  try {
    const page = parseQuantity(name.slice('hugepages-'.length)).nanos
    return page > 0n && page % ONE === 0n && nanos % page === 0n
  } catch {
    return false // no size in the name
  }
}

export const checkOverhead = (overhead: PodSpec['overhead'], at: ResourcesAt): FieldError[] =>
  overhead === undefined ? [] : checkContainerResources({ limits: overhead }, at)

/** Of the pod as a whole, and against those of its containers. */
export function checkPodResources(spec: PodSpec, at: ResourcesAt): FieldError[] {
  const { resources, os } = spec
  if (resources === undefined) return []
  const { field } = at
  if (os?.name === 'windows') return [forbiddenField(field, 'may not be set for a windows pod')]
  return [
    ...checkRequirements(resources, { ...at, checkName: checkPodName }),
    ...compareWithContainers(spec, { ...resources, field }),
  ]
}

function compareWithContainers(
  spec: PodSpec,
  { field, ...resources }: ResourceRequirements & { readonly field: string },
): FieldError[] {
  const errors: FieldError[] = []
  for (const side of ['requests', 'limits'] as const) {
    const whole = resources[side] ?? {}
    for (const [name, sum] of sumOfContainers(spec, side)) {
      const text = memberOf(whole, name)
      if (text === undefined || (side === 'limits' && !isHugePages(name))) continue
      if (sum.nanos > parseQuantity(text).nanos)
        errors.push(
          wrong(
            `${field}.${side}[${name}]`,
            text,
            `must be greater than or equal to aggregate container ${side} of ${formatQuantity(sum)}`,
          ),
        )
    }
  }
  const most = amountsOf(resources.limits)
  for (const [index, container] of spec.containers.entries()) {
    for (const [name, text] of Object.entries(container.resources?.limits ?? {})) {
      const limit = most.get(name)
      if (limit !== undefined && parseQuantity(text).nanos > limit.nanos)
        errors.push(
          wrong(
            `${field}.containers[${index}][${name}].limits`,
            text,
            `must be less than or equal to pod limits of ${formatQuantity(limit)}`,
          ),
        )
    }
  }
  return errors
}
