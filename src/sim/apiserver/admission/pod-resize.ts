/** A running pod cannot ask for more than its node has: no waiting would help. */
import { isDeepStrictEqual } from 'node:util'

import type { ResourceList } from '../../../apis/pod.ts'
import { cappedBytesOf, cappedMillicoresOf, type Quantity } from '../../../core/quantity.ts'
import { nodes } from '../../resources.ts'
import { amountsOf, podRequests } from '../kinds/pod/resources.ts'
import { forbidden } from '../refusal.ts'
import type { AdmissionRequest } from '../write/cluster.ts'
import { isResize, podOf } from './pods.ts'

const zero: Quantity = { nanos: 0n, format: 'DecimalSI' }

export function checkNode(request: AdmissionRequest): void {
  if (!isResize(request)) return
  const { type, old, at } = request
  const { metadata, spec } = podOf(request)
  if (!spec.nodeName || isDeepStrictEqual(spec, old?.spec)) return
  const refuse = (why: string, reason?: string) =>
    forbidden(type, metadata.name, { why, ...(reason && { causes: [{ reason, message: '' }] }) })
  const node = at.find(nodes, { name: spec.nodeName })
  if (node === undefined) throw refuse(`node "${spec.nodeName}" not found`)
  const system = node.metadata.labels?.['kubernetes.io/os'] ?? 'linux'
  if (system !== 'linux')
    throw refuse(
      `pod resize is only supported on linux nodes, node "${spec.nodeName}" is "${system}"`,
      'UnsupportedPlatform',
    )
  const { allocatable } = (node.status ?? {}) as { readonly allocatable?: ResourceList }
  const has = amountsOf(allocatable)
  const asked = podRequests({ spec })
  const count = { cpu: cappedMillicoresOf, memory: cappedBytesOf }
  const short = (['cpu', 'memory'] as const).flatMap((name) => {
    const [wanted, given] = [asked.get(name) ?? zero, has.get(name) ?? zero]
    return wanted.nanos > given.nanos
      ? [`${name}, requested: ${count[name](wanted)}, allocatable: ${count[name](given)}`]
      : []
  })
  if (short.length > 0)
    throw refuse(
      `node didn't have enough allocatable resources: ${short.join('; ')}`,
      'NodeCapacity',
    )
}
