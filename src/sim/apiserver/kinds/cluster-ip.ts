/** Addresses of services: 10.96.0.0/16, each where the hash of its name falls or the next free. */
import { createHash } from 'node:crypto'

import { services } from '../../resources.ts'
import type { ApiObject } from '../object.ts'
import { type FieldError, Refusal } from '../refusal.ts'
import type { Situation } from '../resource-type.ts'
import { wrong } from './validate/field-errors.ts'

/** As kubeadm has it; .0.0 is the network, .255.255 its broadcast address. */
const addresses = 65_534
const nodePorts = { first: 30_000, count: 2768 } as const

const addressAt = (index: number): string =>
  `10.96.${Math.trunc((index + 1) / 256)}.${(index + 1) % 256}`

const hashOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE()

type Spec = {
  readonly clusterIP?: string
  readonly ports?: readonly { readonly nodePort?: number }[]
}

const specsOf = (at: Situation): Spec[] => at.all(services).map(({ spec }) => spec as Spec)

export function freeClusterIp({ metadata: { namespace, name } }: ApiObject, at: Situation): string {
  const taken = new Set(specsOf(at).map(({ clusterIP }) => clusterIP))
  const isKubernetes = namespace === 'default' && name === 'kubernetes'
  // The first ten belong to the cluster: the API server has .1.
  const index = isKubernetes ? 0 : 10 + (hashOf(`${namespace}/${name}`) % (addresses - 10))
  return addressAt(nextFree(index, { count: addresses, isTaken: (at) => taken.has(addressAt(at)) }))
}

function nextFree(
  start: number,
  { count, isTaken }: { readonly count: number; readonly isTaken: (index: number) => boolean },
): number {
  for (let step = 0; step < count; step += 1) {
    const index = (start + step) % count
    if (!isTaken(index)) return index
  }
  const message =
    'Internal error occurred: failed to allocate a serviceIP or nodePort: range is full'
  throw new Refusal({ code: 500, reason: 'InternalError', message })
}

/** For those of the service's ports that have none. */
export function freeNodePorts(
  { metadata: { namespace, name }, spec }: ApiObject,
  at: Situation,
): number[] {
  const { ports = [] } = spec as Spec
  const taken = new Set(
    [...specsOf(at), { ports }].flatMap((one) => one.ports ?? []).map(({ nodePort }) => nodePort),
  )
  const start = hashOf(`${namespace}/${name}`) % nodePorts.count
  return ports.map(({ nodePort = 0 }) => {
    if (nodePort > 0) return nodePort
    const isTaken = (index: number) => taken.has(nodePorts.first + index)
    const port = nodePorts.first + nextFree(start, { count: nodePorts.count, isTaken })
    taken.add(port)
    return port
  })
}

/** The first that cannot be given to this service. */
export function checkNodePorts(object: ApiObject, at: Situation): FieldError[] {
  const { namespace, name } = object.metadata
  const taken = new Set(
    at
      .all(services)
      .filter(({ metadata }) => metadata.namespace !== namespace || metadata.name !== name)
      .flatMap(({ spec }) => (spec as Spec).ports ?? [])
      .map(({ nodePort = 0 }) => nodePort),
  )
  const last = nodePorts.first + nodePorts.count - 1
  const { ports = [] } = object.spec as Spec
  const errors = ports.flatMap(({ nodePort = 0 }, index) => {
    const field = `spec.ports[${index}].nodePort`
    if (nodePort === 0) return []
    if (nodePort < nodePorts.first || nodePort > last) {
      const range = `The range of valid ports is ${nodePorts.first}-${last}`
      return [wrong(field, nodePort, `provided port is not in the valid range. ${range}`)]
    }
    return taken.has(nodePort) ? [wrong(field, nodePort, 'provided port is already allocated')] : []
  })
  return errors.slice(0, 1)
}
