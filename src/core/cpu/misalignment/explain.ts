/**
 * A misalignment in words for who runs the cluster: what is where, what it costs, what would help.
 *
 * The cost of distance is the firmware's own number (ACPI SLIT: 10 is a node to itself, 21 is 2.1 times
 * as far). Two busy threads of a core get more done than one, but each for itself little more than
 * half of what it would have alone.
 */
import { formatCpuSet } from '../cpu-set.ts'
import type { Machine } from '../machine.ts'
import type { Misalignment, MisalignmentKind, Neighbour } from './misalignment.ts'

export type Surroundings = {
  readonly machine: Machine
  /** Of a pod by its UID, such as `default/web`. */
  readonly nameOf: (uid: string) => string
}

const remedies: Readonly<Record<MisalignmentKind, string>> = {
  spread:
    'no one node had as many free when it came: made anew it may get them, and the topology policy restricted or single-numa-node refuses it otherwise',
  memory:
    "the Memory Manager's Static policy with a topology policy of restricted or single-numa-node keeps both together",
  core: 'the CPU Manager option full-pcpus-only gives whole cores',
}

export function explainMisalignment(found: Misalignment, around: Surroundings): string {
  return `container ${found.container} ${factsOf(found, around)}; ${remedies[found.kind]}`
}

function factsOf(found: Misalignment, { machine, nameOf }: Surroundings): string {
  const cpus = `${cpuWord(found.cpus.length)} ${formatCpuSet(found.cpus)}`
  if (found.kind === 'spread') {
    const { nodes, needed } = found
    const does = needed === 1 ? 'one would do' : `${needed} would do`
    const far = farthest(machine, nodes, nodes)
    return `has its ${cpus} on NUMA nodes ${formatCpuSet(nodes)} where ${does}: what its threads share crosses between them${far}`
  }
  if (found.kind === 'memory') {
    const { near, far, farRatio } = found
    const part = farRatio === 1 ? 'its memory' : `${Math.round(farRatio * 100)} % of its memory`
    return `has its ${cpus} on ${nodeWord(near)} and ${part} on ${nodeWord(far)}: each access there crosses between them${farthest(machine, near, far)}`
  }
  const siblings = found.siblings.map(({ cpu }) => cpu)
  const neighbours = new Set(found.siblings.map(({ neighbour }) => wordsOf(neighbour, nameOf)))
  return `shares physical cores of its ${cpus} with ${[...neighbours].join(' and ')} on ${cpuWord(siblings.length)} ${formatCpuSet(siblings)}: while both are busy each gets little more than half of the core`
}

const cpuWord = (count: number): string => (count === 1 ? 'CPU' : 'CPUs')
const nodeWord = (nodes: readonly number[]): string =>
  `NUMA ${nodes.length === 1 ? 'node' : 'nodes'} ${formatCpuSet(nodes)}`

const wordsOf = (neighbour: Neighbour, nameOf: Surroundings['nameOf']): string =>
  typeof neighbour === 'string'
    ? neighbour
    : `container ${neighbour.container} of ${nameOf(neighbour.uid)}`

/** Nothing where the firmware does not tell. */
function farthest({ nodes }: Machine, from: readonly number[], to: readonly number[]): string {
  const distances = from.flatMap((one) => {
    const known = nodes.find(({ id }) => id === one)?.distances ?? []
    return to.flatMap((other) => known[nodes.findIndex(({ id }) => id === other)] ?? [])
  })
  const most = Math.max(...distances, 0)
  return most <= 10 ? '' : `, up to ${most / 10} times as far as within one`
}
