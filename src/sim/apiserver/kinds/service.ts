import { isDeepStrictEqual } from 'node:util'

import type { ApiObject } from '../object.ts'
import type { FieldError } from '../refusal.ts'
import type { Situation } from '../resource-type.ts'
import { checkService, checkServiceUpdate } from './check-service.ts'
import { checkNodePorts, freeClusterIp, freeNodePorts } from './cluster-ip.ts'
import { age, column } from './columns.ts'
import type { KindRules } from './kind-rules.ts'
import { fill } from './pod/defaults.ts'
import { type Service, type ServicePort, type ServiceSpec, specOf } from './service-spec.ts'
import { labelsText } from './validate/labels.ts'
import { checkDnsLabel } from './validate/names.ts'

const hasNodePorts = ({ type }: ServiceSpec): boolean =>
  type === 'NodePort' || type === 'LoadBalancer'

const hasAddress = ({ type }: ServiceSpec): boolean => type !== 'ExternalName'

const reachesOut = (spec: ServiceSpec): boolean =>
  hasNodePorts(spec) || (spec.externalIPs ?? []).length > 0

function setDefaults(object: ApiObject): ApiObject {
  const given = fill(specOf(object), { type: 'ClusterIP', sessionAffinity: 'None' })
  const { type = '', ports } = given
  const spec = fill(
    {
      ...given,
      ...(ports && {
        ports: ports.map((port) =>
          fill(port, { protocol: 'TCP', ...(port.port && { targetPort: port.port }) }),
        ),
      }),
    },
    {
      ...(reachesOut(given) && { externalTrafficPolicy: 'Cluster' }),
      ...(hasAddress(given) && { internalTrafficPolicy: 'Cluster' }),
      ...(type === 'LoadBalancer' && { allocateLoadBalancerNodePorts: true }),
      ...(given.sessionAffinity === 'ClientIP' && {
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } },
      }),
    },
  )
  return { ...object, spec }
}

/** Addresses and node ports are given out here; what was given is kept. */
function withAddresses(object: ApiObject, spec: ServiceSpec, at: Situation): ServiceSpec {
  if (spec.type === 'ExternalName') return spec
  const clusterIP = spec.clusterIP || spec.clusterIPs?.[0] || freeClusterIp(object, at)
  const addressed = fill(
    { ...spec, clusterIP },
    { clusterIPs: [clusterIP], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
  )
  if (!hasNodePorts(spec)) return addressed
  const free = freeNodePorts({ ...object, spec }, at)
  const ports = spec.ports?.map((port, index) => fill(port, { nodePort: free[index] ?? 0 }))
  return { ...addressed, ...(ports && { ports }) }
}

const prepareCreate = (object: ApiObject, at: Situation): ApiObject => ({
  ...object,
  spec: withAddresses(object, specOf(object), at),
  status: { loadBalancer: {} },
})

/** A client may leave out the addresses that it was given, and may name only the first. */
function prepareUpdate(next: ApiObject, old: ApiObject, at: Situation): ApiObject {
  const had = specOf(old)
  const spec = withFirstAddress(withoutOldType(specOf(next), had), had)
  if (spec.type === 'ExternalName' || had.type === 'ExternalName')
    return { ...next, spec: withAddresses(next, spec, at) }
  const kept = fill(spec, {
    ...(had.clusterIP && !spec.clusterIPs && { clusterIP: had.clusterIP }),
    ...(had.ipFamilies && { ipFamilies: had.ipFamilies }),
  })
  return { ...next, spec: withAddresses(next, kept, at) }
}

function withoutNodePort(port: ServicePort): ServicePort {
  const { nodePort: _, ...rest } = port
  return rest
}

/** Fields that not every type has, and which have them. */
const ofSome = {
  externalTrafficPolicy: reachesOut,
  allocateLoadBalancerNodePorts: ({ type }: ServiceSpec) => type === 'LoadBalancer',
  internalTrafficPolicy: hasAddress,
  clusterIP: hasAddress,
  clusterIPs: hasAddress,
  ipFamilies: hasAddress,
  ipFamilyPolicy: hasAddress,
} as const

/** What only the old type had goes with it, unless the client changes it too. */
function withoutOldType(spec: ServiceSpec, had: ServiceSpec): ServiceSpec {
  const kept: Record<string, unknown> = { ...spec }
  for (const [field, has] of Object.entries(ofSome))
    if (!has(spec) && isDeepStrictEqual(kept[field], had[field as keyof ServiceSpec]))
      delete kept[field]
  const old = new Set(had.ports?.map(({ nodePort = 0 }) => nodePort))
  const dropsPorts =
    hasNodePorts(had) &&
    !hasNodePorts(spec) &&
    (spec.ports ?? []).every(({ nodePort = 0 }) => old.has(nodePort))
  return { ...kept, ...(dropsPorts && { ports: spec.ports?.map(withoutNodePort) ?? [] }) }
}

function withFirstAddress(spec: ServiceSpec, had: ServiceSpec): ServiceSpec {
  const { clusterIP = '' } = spec
  const isMoved = clusterIP !== '' && clusterIP !== had.clusterIP
  return isMoved && spec.clusterIPs?.[0] === had.clusterIPs?.[0]
    ? { ...spec, clusterIPs: [clusterIP] }
    : spec
}

/** Ports are given out only to a service that is right in itself. */
const orTaken = (
  errors: readonly FieldError[],
  ...[object, at]: Parameters<typeof checkNodePorts>
): readonly FieldError[] => (errors.length > 0 ? errors : checkNodePorts(object, at))

function externalText(object: ApiObject): string {
  const { type, externalIPs = [], externalName = '' } = specOf(object)
  if (type === 'ExternalName') return externalName
  const { status } = object as Service
  const entries = type === 'LoadBalancer' ? (status?.loadBalancer?.ingress ?? []) : []
  const balanced = entries.map(({ ip, hostname }) => ip ?? hostname ?? '')
  const addresses = [...balanced, ...externalIPs]
  if (addresses.length > 0) return addresses.join(',')
  return type === 'LoadBalancer' ? '<pending>' : '<none>'
}

function portsText(object: ApiObject): string {
  const texts = (specOf(object).ports ?? []).map(({ port, nodePort, protocol }) =>
    nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
  )
  return texts.length === 0 ? '<none>' : texts.join(',')
}

export const serviceRules: KindRules = {
  strategy: {
    setDefaults,
    prepareCreate,
    prepareUpdate,
    validateCreate: (object, at) => orTaken(checkService(object), object, at),
    validateUpdate: (next, old, at) => orTaken(checkServiceUpdate(next, old), next, at),
    validateName: checkDnsLabel,
    createOnUpdate: true,
  },
  columns: [
    column(['Type', 'How it is reached.'], (object) => specOf(object).type ?? ''),
    column(
      ['Cluster-IP', 'Its address in the cluster.'],
      (object) => specOf(object).clusterIPs?.[0] ?? '<none>',
    ),
    column(['External-IP', 'Its addresses from outside.'], externalText),
    column(['Port(s)', 'Ports, with those of nodes.'], portsText),
    age,
    column(
      ['Selector', 'Selects the pods behind it.'],
      (object) => labelsText(specOf(object).selector),
      { wide: true },
    ),
  ],
  selectableFields: {
    'spec.clusterIP': (object) => specOf(object).clusterIP ?? '',
    'spec.type': (object) => specOf(object).type ?? '',
  },
  hasGeneration: false,
}
