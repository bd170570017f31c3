/** The parts of a kubelet's configuration file (`KubeletConfiguration`) that say how its managers are set up. */
import * as v from 'valibot'

import { type CpuSet, parseCpuSet } from '../core/cpu/cpu-set.ts'
import type { GivenOptions } from '../core/cpu/static-policy/options.ts'
import type { Bytes } from '../core/units.ts'
import { readAmounts } from './amounts.ts'
import { parseAs } from './parse.ts'

export type KubeletFile = {
  readonly cpuManagerPolicy: string
  readonly cpuManagerOptions: GivenOptions
  /** Undefined unless they are listed: of mere amounts the kubelet chooses which. */
  readonly reservedCpus: CpuSet | undefined
  readonly topologyManagerPolicy: string
  readonly topologyManagerScope: string
  readonly topologyManagerOptions: GivenOptions
  readonly memoryManagerPolicy: string
  /** By NUMA node, then by resource name. */
  readonly reservedMemory: ReadonlyMap<number, Readonly<Record<string, Bytes>>>
}

const quantity = v.union([v.string(), v.number()], 'a quantity')
const amounts = v.record(v.string(), quantity, 'quantities by resource')
const options = v.optional(v.nullable(v.record(v.string(), v.string('a text'), 'texts by name')))
const word = v.nullish(v.string('a text'), '')

const kubeletFile = v.object(
  {
    cpuManagerPolicy: word,
    cpuManagerPolicyOptions: options,
    reservedSystemCPUs: word,
    topologyManagerPolicy: word,
    topologyManagerScope: word,
    topologyManagerPolicyOptions: options,
    memoryManagerPolicy: word,
    reservedMemory: v.optional(
      v.nullable(
        v.array(
          v.object({ numaNode: v.number('a number'), limits: amounts }, 'an object'),
          'a list',
        ),
      ),
    ),
  },
  'an object',
)

/** What is not said, or said to be nothing, is what a kubelet does by itself. */
export function readKubeletFile(document: unknown, name: string): KubeletFile {
  const file = parseAs(kubeletFile, document, name)
  return {
    cpuManagerPolicy: file.cpuManagerPolicy || 'none',
    cpuManagerOptions: file.cpuManagerPolicyOptions ?? {},
    reservedCpus: file.reservedSystemCPUs === '' ? undefined : parseCpuSet(file.reservedSystemCPUs),
    topologyManagerPolicy: file.topologyManagerPolicy || 'none',
    topologyManagerScope: file.topologyManagerScope || 'container',
    topologyManagerOptions: file.topologyManagerPolicyOptions ?? {},
    memoryManagerPolicy: file.memoryManagerPolicy || 'None',
    reservedMemory: reservedIn(file.reservedMemory ?? [], name),
  }
}

type Reservation = NonNullable<v.InferOutput<typeof kubeletFile>['reservedMemory']>[number]

/** A node may be in the list several times, with a resource each. */
function reservedIn(list: readonly Reservation[], name: string): KubeletFile['reservedMemory'] {
  const reserved = new Map<number, Record<string, Bytes>>()
  for (const { numaNode, limits } of list) {
    const texts = Object.entries(limits).map(
      ([resource, amount]) => [resource, `${amount}`] as const,
    )
    const amounts = readAmounts(Object.fromEntries(texts), `${name}: NUMA node ${numaNode}`)
    reserved.set(numaNode, { ...reserved.get(numaNode), ...amounts })
  }
  return reserved
}
