import type { ApiObject } from '../object.ts'
import type { FieldError } from '../refusal.ts'
import { portName, portNumbers, within } from './pod/complaints.ts'
import { isHeadless, type ServicePort, type ServiceSpec, specOf } from './service-spec.ts'
import {
  all,
  duplicate,
  forbiddenField,
  required,
  unsupported,
  wrong,
} from './validate/field-errors.ts'
import { checkLabels } from './validate/labels.ts'
import { checkDnsLabel, checkSubdomain } from './validate/names.ts'

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const protocols = ['SCTP', 'TCP', 'UDP']
const affinities = ['ClientIP', 'None']

export function checkService(object: ApiObject): FieldError[] {
  const spec = specOf(object)
  const { type = '', ports = [], sessionAffinity = '' } = spec
  const errors: FieldError[] = []
  if (ports.length === 0 && !isHeadless(spec) && type !== 'ExternalName')
    errors.push(required('spec.ports'))
  errors.push(...checkType(spec))
  const names = new Set<string>()
  errors.push(...ports.flatMap((_, index) => checkPort(ports, index, names)))
  errors.push(...checkLabels(spec.selector, 'spec.selector'))
  if (!affinities.includes(sessionAffinity))
    errors.push(unsupported('spec.sessionAffinity', sessionAffinity, affinities))
  if (!types.includes(type)) errors.push(unsupported('spec.type', type, types))
  errors.push(...checkNodePorts(spec))
  const earlier = new Set<string>()
  for (const [index, { protocol, port }] of ports.entries()) {
    const both = `${protocol} ${port}`
    if (earlier.has(both)) errors.push(duplicate(`spec.ports[${index}]`, portKey(port, protocol)))
    earlier.add(both)
  }
  return errors
}

function checkType({ type, externalName = '', ...spec }: ServiceSpec): FieldError[] {
  if (type === 'LoadBalancer' || type === 'NodePort')
    return isHeadless(spec)
      ? [wrong('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`)]
      : []
  if (type !== 'ExternalName') return []
  const address = externalName.replace(/\.$/, '')
  return [
    ...(spec.clusterIPs?.length || spec.clusterIP
      ? [forbiddenField('spec.clusterIPs', 'may not be set for ExternalName services')]
      : []),
    ...(address === ''
      ? [required('spec.externalName')]
      : all('spec.externalName', address, checkSubdomain(address))),
  ]
}

function checkPort(
  ports: readonly ServicePort[],
  index: number,
  earlier: Set<string>,
): FieldError[] {
  const { name = '', port = 0, protocol = '', targetPort = port } = ports[index] ?? {}
  const at = `spec.ports[${index}]`
  const errors: FieldError[] = []
  if (name !== '') {
    errors.push(...all(`${at}.name`, name, checkDnsLabel(name)))
    if (earlier.has(name)) errors.push(duplicate(`${at}.name`, name))
    earlier.add(name)
  } else if (ports.length > 1) errors.push(required(`${at}.name`))
  errors.push(...within(`${at}.port`, port, portNumbers))
  if (!protocols.includes(protocol)) errors.push(unsupported(`${at}.protocol`, protocol, protocols))
  errors.push(
    ...(typeof targetPort === 'number'
      ? within(`${at}.targetPort`, targetPort, portNumbers)
      : all(`${at}.targetPort`, targetPort, portName(targetPort))),
  )
  return errors
}

function checkNodePorts({ type, ports = [] }: ServiceSpec): FieldError[] {
  return ports.flatMap(({ nodePort = 0, protocol }, index) => {
    const at = `spec.ports[${index}].nodePort`
    if (nodePort === 0) return []
    const isTwice = ports
      .slice(0, index)
      .some((one) => one.nodePort === nodePort && one.protocol === protocol)
    return [
      ...(type === 'ClusterIP'
        ? [forbiddenField(at, "may not be used when `type` is 'ClusterIP'")]
        : []),
      ...(isTwice ? [duplicate(at, nodePort)] : []),
    ]
  })
}

/** As Go prints the part of a port that must differ. */
const portKey = (port: number | undefined, protocol: string | undefined) => ({
  Name: '',
  Protocol: protocol,
  AppProtocol: null,
  Port: port,
  TargetPort: 0,
  NodePort: 0,
})

export function checkServiceUpdate(next: ApiObject, old: ApiObject): FieldError[] {
  const [spec, had] = [specOf(next), specOf(old)]
  const isExternal = [spec, had].some(({ type }) => type === 'ExternalName')
  const isMoved = had.clusterIPs?.[0] !== spec.clusterIPs?.[0]
  return [
    ...(!isExternal && isMoved
      ? [wrong('spec.clusterIPs[0]', spec.clusterIPs, 'may not change once set')]
      : []),
    ...checkService(next),
  ]
}
