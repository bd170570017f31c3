/**
 * What `--topology` reads: our own list of CPUs, or what `lscpu -J -e` or `lscpu -J` prints. Which of
 * them is told by its keys.
 */
import * as v from 'valibot'

import { bareMachine, type Machine, type NumaNode } from '../core/cpu/machine.ts'
import {
  type LscpuRow,
  readLscpuRows,
  readLscpuSummary,
} from '../core/cpu/read-topology/from-lscpu.ts'
import { type CpuTopology, createTopology } from '../core/cpu/topology.ts'
import { InvalidInput } from '../core/errors.ts'
import { readAmounts } from './amounts.ts'
import { parseAs } from './parse.ts'

const id = v.pipe(
  v.number('a whole number'),
  v.integer('a whole number'),
  v.minValue(0, '0 or more'),
)

const place = v.strictObject(
  {
    cpu: v.pipe(id, v.description('The CPU, a hardware thread')),
    core: v.pipe(id, v.description('Its core, numbered over the whole machine')),
    socket: v.pipe(id, v.description('Its socket')),
    numa: v.pipe(id, v.description('Its NUMA node')),
    uncore: v.optional(
      v.pipe(id, v.description('Its last-level cache; the socket, if nothing is said')),
    ),
  },
  'an object with cpu, core, socket, numa and uncore',
)

const cpus = v.pipe(v.array(place, 'a list of CPUs'), v.description('Where each CPU is'))

export const topologySchema = v.strictObject({ cpus }, 'an object with cpus')

export const topologyFile = v.strictObject(
  {
    cpus,
    numaNodes: v.optional(
      v.pipe(
        v.array(
          v.strictObject(
            {
              id: v.pipe(id, v.description('The node')),
              distances: v.optional(
                v.pipe(
                  v.array(v.number('a number'), 'a list of numbers'),
                  v.description('To each node, in the order of ids; 10 to itself'),
                ),
              ),
              memory: v.optional(
                v.pipe(
                  v.record(v.string(), v.string('a quantity'), 'quantities by resource'),
                  v.description('In all, such as `memory: 64Gi` and `hugepages-2Mi: 1Gi`'),
                ),
              ),
            },
            'an object with id, distances and memory',
          ),
          'a list of NUMA nodes',
        ),
        v.description('What else is known of them; also those without CPUs'),
      ),
    ),
  },
  'an object with cpus, or what lscpu -J prints',
)

export const topologyOf = ({ cpus }: v.InferOutput<typeof topologySchema>): CpuTopology =>
  createTopology(
    cpus.map(({ cpu, core, socket, numa, uncore = socket }) => ({
      cpu,
      core,
      socket,
      numa,
      uncore,
    })),
  )

export function readMachine(document: unknown, name: string): Machine {
  if (isObject(document) && Array.isArray(document['lscpu'])) {
    const { lscpu } = parseAs(summaryFile, document, name)
    return readLscpuSummary(new Map(lscpu.flatMap(flatten)))
  }
  if (isObject(document) && isRowList(document['cpus'])) {
    const { cpus } = parseAs(rowFile, document, name)
    return readLscpuRows(cpus.filter(({ online }) => isOn(online)).map(rowOf))
  }
  const file = parseAs(topologyFile, document, name)
  const machine = bareMachine(topologyOf(file))
  if (file.numaNodes === undefined) return machine
  const nodes = file.numaNodes.map(nodeOf).toSorted((a, b) => a.id - b.id)
  const missing = machine.nodes.find(({ id }) => !nodes.some((node) => node.id === id))
  if (missing !== undefined) {
    throw new InvalidInput(`${name}: expected NUMA node ${missing.id} among numaNodes, got none`)
  }
  checkNodes(nodes, name)
  return { topology: machine.topology, nodes }
}

function checkNodes(nodes: readonly NumaNode[], name: string): void {
  for (const [i, { id, distances }] of nodes.entries()) {
    if (id === nodes[i - 1]?.id) {
      throw new InvalidInput(`${name}: expected NUMA node ${id} once, got it twice`)
    }
    // A missing one would be taken for the nearest.
    if (distances !== undefined && distances.length < nodes.length) {
      throw new InvalidInput(
        `${name}: NUMA node ${id}: expected ${nodes.length} distances, got ${distances.length}`,
      )
    }
  }
}

type FileNode = NonNullable<v.InferOutput<typeof topologyFile>['numaNodes']>[number]

const nodeOf = ({ id, distances, memory }: FileNode): NumaNode => ({
  id,
  ...(distances && { distances }),
  ...(memory && { memory: readAmounts(memory, `NUMA node ${id}`) }),
})

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** lscpu calls the NUMA node `node`, and numbers caches. */
const isRowList = (value: unknown): boolean =>
  Array.isArray(value) && value.some((row) => isObject(row) && !('numa' in row) && 'core' in row)

/** Older versions print every value as a text, and `-` for what they do not know. */
const cell = v.optional(v.nullable(v.union([v.string(), v.number(), v.boolean()], 'a value')))

const rowFile = v.object({ cpus: v.array(v.record(v.string(), cell, 'a row of lscpu -J -e')) })

type Row = v.InferOutput<typeof rowFile>['cpus'][number]

const isOn = (online: Row[string]): boolean => online !== false && online !== 'no'

function rowOf(row: Row): LscpuRow {
  const [cpu, socket, core] = ['cpu', 'socket', 'core'].map((name) => {
    const value = numberIn(row[name])
    if (value !== undefined) return value
    throw new InvalidInput(
      `lscpu: expected ${name} to be a number, got ${row[name] ?? 'nothing'}; print it with lscpu -J -e`,
    )
  }) as [number, number, number]
  const caches = Object.entries(row).find(([name]) => /^l1d:.*:l3$/i.test(name))?.[1]
  return {
    cpu,
    socket,
    core,
    node: numberIn(row['node']),
    cache: numberIn(
      String(caches ?? '')
        .split(':')
        .at(-1),
    ),
  }
}

const numberIn = (value: Row[string]): number | undefined =>
  /^\d+$/.test(String(value)) ? Number(value) : undefined

type Field = { readonly field: string; readonly data?: string | null; readonly children?: Field[] }

const field: v.GenericSchema<Field> = v.object({
  field: v.string('a name'),
  data: v.optional(v.nullable(v.string('a text'))),
  children: v.optional(v.array(v.lazy(() => field))),
}) as v.GenericSchema<Field>

const summaryFile = v.object({ lscpu: v.array(field, 'a list of fields') })

const flatten = ({ field, data, children = [] }: Field): [string, string][] => [
  [field.replace(/:$/, ''), data ?? ''],
  ...children.flatMap(flatten),
]
