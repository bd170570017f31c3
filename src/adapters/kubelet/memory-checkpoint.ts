/**
 * The checkpoint of the kubelet's Memory Manager, from text to values:
 *
 *   {"policyName":"Static","machineState":{"0":{"memoryMap":{"memory":{"systemReserved":1048576, ...}}, ...}},
 *    "entries":{"<pod UID>":{"<container>":[{"numaAffinity":[0],"type":"memory","size":67108864}]}}, ...}
 *
 * Source: k8s.io/kubernetes/pkg/kubelet/cm/memorymanager/state, formats 1 and 2.
 */
import * as v from 'valibot'

import { parseAs } from '../../apis/parse.ts'
import { type ByContainer, byContainer } from '../../core/cpu/by-container.ts'
import type { Block } from '../../core/cpu/memory/state.ts'
import type { Bytes } from '../../core/units.ts'

export type MemoryCheckpoint = {
  readonly policy: string
  /** By NUMA node, then by resource name. */
  readonly reserved: ReadonlyMap<number, Readonly<Record<string, Bytes>>>
  readonly held: ByContainer<readonly Block[]>
}

const number = v.number('a number')

const block = v.object(
  { numaAffinity: v.array(number, 'a list of NUMA nodes'), type: v.string('a text'), size: number },
  'an object with numaAffinity, type and size',
)

const machineState = v.record(
  v.string(),
  v.object(
    { memoryMap: v.record(v.string(), v.object({ systemReserved: number }), 'memory by resource') },
    'an object with memoryMap',
  ),
  'memory by NUMA node',
)

const checkpoint = v.object(
  {
    policyName: v.string('a text'),
    machineState: v.optional(machineState, {}),
    entries: v.optional(
      v.record(
        v.string(),
        v.record(v.string(), v.array(block, 'a list of blocks'), 'blocks by container'),
        'containers by pod',
      ),
      {},
    ),
  },
  'an object',
)

export function parseMemoryCheckpoint(text: string): MemoryCheckpoint {
  const { policyName, machineState, entries } = parseAs(checkpoint, JSON.parse(text), CHECKPOINT)
  return {
    policy: policyName,
    reserved: reservedIn(machineState),
    held: byContainer(entries, (blocks) =>
      blocks.map(({ numaAffinity, type, size }) => ({
        resource: type,
        numa: numaAffinity,
        bytes: size,
      })),
    ),
  }
}

const CHECKPOINT = 'the checkpoint of the Memory Manager'

function reservedIn(
  machine: v.InferOutput<typeof machineState>,
): ReadonlyMap<number, Readonly<Record<string, Bytes>>> {
  const nodes = Object.entries(machine).map(([node, { memoryMap }]) => {
    const amounts = Object.entries(memoryMap).flatMap(([resource, { systemReserved }]) =>
      systemReserved === 0 ? [] : [[resource, systemReserved as Bytes] as const],
    )
    return [Number(node), Object.fromEntries(amounts)] as const
  })
  return new Map(nodes.filter(([, amounts]) => Object.keys(amounts).length > 0))
}
