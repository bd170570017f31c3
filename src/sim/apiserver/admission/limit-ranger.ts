/** LimitRanges: defaults for containers that do not say what they need, and bounds for all. */
import type { ResourceList } from '../../../apis/pod.ts'
import { formatQuantity, type Quantity } from '../../../core/quantity.ts'
import { limitRanges } from '../../resources.ts'
import type { Limit, LimitRange } from '../kinds/limit-range.ts'
import { fill } from '../kinds/pod/defaults.ts'
import { type Amounts, amountsOf, sumOfContainers } from '../kinds/pod/resources.ts'
import type { Container, Pod, PodSpec } from '../kinds/pod/types.ts'
import { memberOf } from '../members.ts'
import { forbidden } from '../refusal.ts'
import type { Admit, AdmissionRequest } from '../write/cluster.ts'
import { isNewPod, isResize, podOf } from './pods.ts'

const annotation = 'kubernetes.io/limit-ranger'

const rangesFor = ({ at, object, old }: AdmissionRequest): readonly LimitRange[] =>
  old?.metadata.deletionTimestamp === undefined
    ? (at.all(limitRanges, object.metadata.namespace) as readonly LimitRange[])
    : []

export const fillFromLimits: Admit = (request) => {
  const pod = podOf(request)
  if (!isNewPod(request) && !isResize(request)) return pod
  return rangesFor(request).reduce(fillPod, pod)
}

type Defaults = { readonly limits: ResourceList; readonly requests: ResourceList }

function defaultsOf({ spec }: LimitRange): Defaults {
  const ofContainers = (spec?.limits ?? []).filter(({ type }) => type === 'Container')
  const merge = (side: 'default' | 'defaultRequest') =>
    Object.assign({}, ...ofContainers.map((limit) => limit[side])) as ResourceList
  return { limits: merge('default'), requests: merge('defaultRequest') }
}

function fillPod(pod: Pod, range: LimitRange): Pod {
  const defaults = defaultsOf(range)
  const { containers, initContainers } = pod.spec
  const told: string[] = []
  const fillAll = (list: readonly Container[], what: string) =>
    list.map((container) => {
      told.push(...tellAdded(container, what, defaults))
      const { limits = {}, requests = {} } = container.resources ?? {}
      const filled = {
        limits: fill(limits, defaults.limits),
        requests: fill(requests, defaults.requests),
      }
      return { ...container, resources: { ...container.resources, ...filled } }
    })
  const spec = {
    ...pod.spec,
    containers: fillAll(containers, 'container'),
    ...(initContainers && { initContainers: fillAll(initContainers, 'init container') }),
  }
  if (told.length === 0) return pod
  const annotations = {
    ...pod.metadata.annotations,
    [annotation]: `LimitRanger plugin set: ${told.join('; ')}`,
  }
  return { ...pod, metadata: { ...pod.metadata, annotations }, spec }
}

/** `cpu, memory request for container main` */
function tellAdded({ name, resources }: Container, what: string, defaults: Defaults): string[] {
  const sides = { requests: 'request', limits: 'limit' } as const
  return (['requests', 'limits'] as const).flatMap((side) => {
    const given = resources?.[side] ?? {}
    const added = Object.keys(defaults[side]).filter((key) => memberOf(given, key) === undefined)
    const list = added.toSorted().join(', ')
    return added.length === 0 ? [] : [`${list} ${sides[side]} for ${what} ${name}`]
  })
}

export function checkLimits(request: AdmissionRequest): void {
  if (!isNewPod(request) && !isResize(request)) return
  const { metadata, spec } = podOf(request)
  for (const range of rangesFor(request)) {
    const errors = (range.spec?.limits ?? []).flatMap((limit) => checkPod(spec, limit))
    const texts = [...new Set(errors)]
    if (texts.length === 0) continue
    const why = texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`
    throw forbidden(request.type, metadata.name, { why })
  }
}

type Asked = { readonly requests: Amounts; readonly limits: Amounts }

function checkPod(spec: PodSpec, limit: Limit): string[] {
  if (limit.type === 'Pod')
    return check({ requests: wholeOf(spec, 'requests'), limits: wholeOf(spec, 'limits') }, limit)
  if (limit.type !== 'Container') return []
  return [...spec.containers, ...(spec.initContainers ?? [])].flatMap(({ resources }) =>
    check(
      { requests: amountsOf(resources?.requests), limits: amountsOf(resources?.limits) },
      limit,
    ),
  )
}

/** What is said for the pod as a whole stands for the sum. */
function wholeOf(spec: PodSpec, side: 'requests' | 'limits'): Amounts {
  const whole = [...amountsOf(spec.resources?.[side])].filter(
    ([name]) => name === 'cpu' || name === 'memory',
  )
  return new Map([...sumOfContainers(spec, side), ...whole])
}

function check(asked: Asked, limit: Limit): string[] {
  const each = (
    list: ResourceList | undefined,
    compare: (of: Compared) => string | undefined,
  ): string[] =>
    [...amountsOf(list)]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, bound]) => {
        const request = asked.requests.get(name)
        const limited = asked.limits.get(name)
        const of = `${name} usage per ${limit.type} is ${formatQuantity(bound)}`
        const ratio = `${name} max limit to request ratio per ${limit.type} is ${formatQuantity(bound)}`
        return compare({ bound, request, limit: limited, of, ratio }) ?? []
      })
  return [
    ...each(limit.min, tooLittle),
    ...each(limit.max, tooMuch),
    ...each(limit.maxLimitRequestRatio, tooFarApart),
  ]
}

type Compared = {
  readonly bound: Quantity
  readonly request: Quantity | undefined
  readonly limit: Quantity | undefined
  readonly of: string
  readonly ratio: string
}

function tooLittle({ bound, request, limit, of }: Compared): string | undefined {
  if (request === undefined) return `minimum ${of}.  No request is specified`
  if (request.nanos < bound.nanos) return `minimum ${of}, but request is ${formatQuantity(request)}`
  if (limit !== undefined && limit.nanos < bound.nanos)
    return `minimum ${of}, but limit is ${formatQuantity(limit)}`
  return undefined
}

function tooMuch({ bound, request, limit, of }: Compared): string | undefined {
  if (limit === undefined) return `maximum ${of}.  No limit is specified`
  if (limit.nanos > bound.nanos) return `maximum ${of}, but limit is ${formatQuantity(limit)}`
  if (request !== undefined && request.nanos > bound.nanos)
    return `maximum ${of}, but request is ${formatQuantity(request)}`
  return undefined
}

const one = 1e9

function tooFarApart({ bound, request, limit, ratio }: Compared): string | undefined {
  if (request === undefined || request.nanos === 0n)
    return `${ratio}, but no request is specified or request is 0`
  if (limit === undefined || limit.nanos === 0n)
    return `${ratio}, but no limit is specified or limit is 0`
  const provided = Number(limit.nanos) / Number(request.nanos)
  if (provided > Number(bound.nanos) / one)
    return `${ratio}, but provided ratio is ${provided.toFixed(6)}`
  return undefined
}
