/** What pods are given that do not say, where the API's shape cannot say it either. */
import type { ResourceList, ResourceRequirements } from '../../../../apis/pod.ts'
import { formatQuantity, parseQuantity } from '../../../../core/quantity.ts'
import { isHugePages, isOvercommittable } from '../validate/resource-names.ts'
import { isPodLevel, sumOfContainers } from './resources.ts'
import type {
  Container,
  ContainerPort,
  Handler,
  Pod,
  PodSpec,
  Probe,
  Refs,
  Volume,
} from './types.ts'

/** What is empty is as good as missing. What needs no default is not copied: most updates need none. */
export function fill<T extends object>(to: T, defaults: Partial<T>): T {
  const missing = Object.entries(defaults).filter(([name, value]) => {
    const had = Object.hasOwn(to, name) ? to[name as keyof T] : undefined
    return had === undefined || (had === '' && value !== '')
  })
  return missing.length === 0 ? to : { ...to, ...Object.fromEntries(missing) }
}

/** Where `change` returns what it was given, so does this. */
function replace<T extends object, K extends keyof T>(
  of: T,
  name: K,
  change: (value: NonNullable<T[K]>) => T[K],
): T {
  const value = of[name]
  if (value === undefined || value === null) return of
  const next = change(value)
  return next === value ? of : { ...of, [name]: next }
}

function mapSame<T>(list: readonly T[], change: (item: T) => T): readonly T[] {
  const next = list.map(change)
  return next.every((item, index) => item === list[index]) ? list : next
}

export const defaultPod = (pod: Pod): Pod =>
  replace(fill(pod, { spec: { containers: [] } }), 'spec', (spec) =>
    defaultOfPods(fillTemplate(spec)),
  )

/** What templates are given too. */
function fillTemplate(given: PodSpec): PodSpec {
  const { serviceAccountName = given.serviceAccount } = given
  let spec = fill(given, {
    containers: [],
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
    ...(serviceAccountName !== undefined && {
      serviceAccountName,
      serviceAccount: serviceAccountName, // the old name says the same
    }),
  })
  const each = (list: readonly Container[]) => mapSame(list, defaultContainer)
  for (const name of ['containers', 'initContainers', 'ephemeralContainers'] as const)
    spec = replace(spec, name, each)
  spec = replace(spec, 'volumes', (volumes) => mapSame(volumes, defaultVolume))
  spec = replace(spec, 'overhead', roundUp)
  return replace(spec, 'resources', roundAll)
}

/** Only of pods: templates are left as they were written. */
function defaultOfPods(given: PodSpec): PodSpec {
  const hasHostPorts = given.hostNetwork === true
  const each = (list: readonly Container[]) =>
    mapSame(list, (container) => {
      const asked = replace(container, 'resources', requestLimits)
      return hasHostPorts ? replace(asked, 'ports', (ports) => mapSame(ports, useHostPort)) : asked
    })
  let spec = fill(given, { enableServiceLinks: true })
  for (const name of ['containers', 'initContainers'] as const) spec = replace(spec, name, each)
  return replace(spec, 'resources', (whole) => defaultPodResources(whole, spec))
}

const useHostPort = (port: ContainerPort): ContainerPort =>
  port.hostPort || !port.containerPort ? port : { ...port, hostPort: port.containerPort }

function defaultContainer(given: Container): Container {
  let container = fill(given, {
    name: '',
    imagePullPolicy: pullPolicyOf(given.image ?? ''),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    resources: {},
  })
  container = replace(container, 'resources', roundAll)
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe'] as const)
    container = replace(container, name, defaultProbe)
  container = replace(container, 'lifecycle', (lifecycle) => {
    const started = replace(lifecycle, 'postStart', defaultHandler)
    return replace(started, 'preStop', defaultHandler)
  })
  container = replace(container, 'env', (env) =>
    mapSame(env, (one) => replace(one, 'valueFrom', defaultRefs)),
  )
  return replace(container, 'ports', (ports) =>
    mapSame(ports, (port) => fill(port, { protocol: 'TCP' })),
  )
}

/** `latest` may change its meaning at any time. */
function pullPolicyOf(image: string): string {
  const [name = '', digest] = image.split('@')
  const tag = /:([\w][\w.-]*)$/.exec(name)?.[1]
  const isReference = /^[a-z0-9]/.test(name) && !/[A-Z\s]/.test(name.replace(/:[^/]*$/, ''))
  const isLatest = tag === 'latest' || (tag === undefined && digest === undefined)
  return isLatest && isReference ? 'Always' : 'IfNotPresent'
}

/** Requests that are missing beside limits are the limits. */
function requestLimits(resources: ResourceRequirements): ResourceRequirements {
  const { limits, requests = {} } = resources
  if (limits === undefined) return resources
  const filled = fill(requests, limits)
  return filled === requests ? resources : { ...resources, requests: filled }
}

const roundAll = (resources: ResourceRequirements): ResourceRequirements =>
  replace(replace(resources, 'limits', roundUp), 'requests', roundUp)

const SHORT = /^[1-9]\d{0,2}m?$/
const MILLI = 1_000_000n

/** Nothing is counted in less than thousandths; and all is written in its shortest form. */
function roundUp(list: ResourceList): ResourceList {
  const rounded = Object.entries(list).map(([name, text]) => {
    if (SHORT.test(text)) return [name, text]
    const { nanos, format } = parseQuantity(text)
    const rest = nanos % MILLI
    const whole = rest === 0n ? nanos : nanos - rest + (nanos > 0n ? MILLI : -MILLI)
    return [name, formatQuantity({ nanos: whole, format })]
  })
  const next = Object.fromEntries(rounded) as ResourceList
  return Object.entries(list).every(([name, text]) => next[name] === text) ? list : next
}

/** KEP-2837: from the containers where they say, else from the limits of the pod. */
function defaultPodResources(resources: ResourceRequirements, spec: PodSpec): ResourceRequirements {
  const { limits: said = {}, requests: asked = {} } = resources
  if (Object.keys(said).length + Object.keys(asked).length === 0) return resources
  const pages = [...sumOfContainers(spec, 'limits')].filter(
    ([name]) => isHugePages(name) && asked[name] === undefined,
  )
  const limits = fill(said, textsOf(pages))
  if (Object.keys(limits).length === 0) return resources
  const sums = [...sumOfContainers(spec, 'requests')].filter(
    ([name]) => isPodLevel(name) && isOvercommittable(name),
  )
  const rest = Object.entries(limits).filter(([name]) => isPodLevel(name))
  const requests = fill(fill(asked, textsOf(sums)), Object.fromEntries(rest))
  return limits === resources.limits && requests === resources.requests
    ? resources
    : { ...resources, limits, ...(Object.keys(requests).length > 0 && { requests }) }
}

const textsOf = (amounts: [string, Parameters<typeof formatQuantity>[0]][]): ResourceList =>
  Object.fromEntries(amounts.map(([name, quantity]) => [name, formatQuantity(quantity)]))

function defaultProbe(given: Probe): Probe {
  const probe = fillZero(given, {
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  })
  return defaultHandler(probe)
}

/** 0 is as good as nothing said. */
function fillZero(probe: Probe, defaults: Partial<Probe>): Probe {
  const missing = Object.entries(defaults).filter(([name]) => !probe[name as keyof Probe])
  return missing.length === 0 ? probe : { ...probe, ...Object.fromEntries(missing) }
}

function defaultHandler<T extends Handler>(handler: T): T {
  const { httpGet, grpc } = handler
  const http = httpGet && fill(httpGet, { path: '/', scheme: 'HTTP' })
  const service = grpc && fill(grpc, { service: '' })
  return http === httpGet && service === grpc
    ? handler
    : { ...handler, ...(http && { httpGet: http }), ...(service && { grpc: service }) }
}

function defaultRefs<T extends Refs>(from: T): T {
  const field = replace(from, 'fieldRef', (ref) => fill(ref, { apiVersion: 'v1' }))
  return replace(field, 'resourceFieldRef', (ref) => fill(ref, { divisor: '0' }))
}

const readable = 0o644

function defaultVolume(given: Volume): Volume {
  const sources = Object.keys(given).filter((name) => name !== 'name')
  if (sources.length === 0) return { ...given, emptyDir: {} }
  let volume = given
  volume = replace(volume, 'hostPath', (source) =>
    'type' in source ? source : { ...source, type: '' },
  )
  volume = replace(volume, 'secret', (source) => fill(source, { defaultMode: readable }))
  volume = replace(volume, 'configMap', (source) => fill(source, { defaultMode: readable }))
  volume = replace(volume, 'image', (source) =>
    fill(source, { pullPolicy: pullPolicyOf(source.reference ?? '') }),
  )
  volume = replace(volume, 'downwardAPI', (source) => {
    const filled = fill(source, { defaultMode: readable })
    return replace(filled, 'items', (items) => mapSame(items, defaultRefs))
  })
  return replace(volume, 'projected', (source) => {
    const filled = fill(source, { defaultMode: readable })
    return replace(filled, 'sources', (all) =>
      mapSame(all, (one) => {
        const token = replace(one, 'serviceAccountToken', (of) =>
          fill(of, { expirationSeconds: 3600 }),
        )
        return replace(token, 'downwardAPI', (of) =>
          replace(of, 'items', (items) => mapSame(items, defaultRefs)),
        )
      }),
    )
  })
}
