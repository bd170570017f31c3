/** What containers hold for themselves, as attributes of a NodeResourceTopology in JSON, both ways. */
import * as v from 'valibot'

import { type ByContainer, byContainer, entriesOf } from '../core/cpu/by-container.ts'
import { formatCpuSet, parseCpuSet } from '../core/cpu/cpu-set.ts'
import type { NodeCpus } from '../core/cpu/node-cpus.ts'
import { InvalidInput } from '../core/errors.ts'
import type { Attributes, WrittenAttributes } from './attributes.ts'
import { attributeNames as names } from './node-resource-topology.ts'
import { parseAs } from './parse.ts'

type Held = Pick<NodeCpus, 'exclusive' | 'memory' | 'devices'>

/** What nobody holds is not written. */
export const writeHeld = ({ exclusive, memory, devices }: Held): WrittenAttributes => ({
  [names.exclusiveCpus]: textOf(exclusive, formatCpuSet),
  [names.memoryBlocks]: textOf(memory, (blocks) => blocks),
  [names.devices]: devices.length === 0 ? undefined : JSON.stringify(devices),
})

const textOf = <T>(held: ByContainer<T>, write: (value: T) => unknown): string | undefined =>
  held.size === 0 ? undefined : JSON.stringify(entriesOf(held, write))

export const readHeld = ({ place, get }: Attributes): Held => {
  const read = <const S extends v.GenericSchema>(name: string, schema: S, empty: string) =>
    parseJson(schema, get(name) ?? empty, `${place}: ${name}`)
  return {
    exclusive: byContainer(
      read(names.exclusiveCpus, ofContainers(v.string('CPUs')), '{}'),
      parseCpuSet,
    ),
    memory: byContainer(read(names.memoryBlocks, ofContainers(blocks), '{}'), (held) => held),
    devices: read(names.devices, devices, '[]'),
  }
}

const number = v.number('a number')
const numa = v.array(number, 'a list of NUMA nodes')

const blocks = v.array(
  v.object({ resource: v.string('a name'), numa, bytes: number }, 'an object'),
  'a list of blocks',
)

const devices = v.array(
  v.object(
    { resource: v.string('a name'), numa, allocatable: number, available: number },
    'an object',
  ),
  'a list of devices',
)

const ofContainers = <const S extends v.GenericSchema>(schema: S) =>
  v.record(v.string(), v.record(v.string(), schema, 'an object'), 'an object')

function parseJson<const S extends v.GenericSchema>(schema: S, text: string, place: string) {
  try {
    return parseAs(schema, JSON.parse(text), place)
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new InvalidInput(`${place}: ${error.message}`, { cause: error })
    }
    throw error
  }
}
