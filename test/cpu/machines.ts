/** Machines to try CPU topology on: built from a shape, and named after what they are like. */
import { type CpuPlace, type CpuTopology, createTopology } from '../../src/core/cpu/topology.ts'

export type Shape = {
  readonly sockets: number
  /** Of each socket. */
  readonly nodes: number
  /** Of each NUMA node. */
  readonly cores: number
  readonly threads: number
  /** Last-level caches of each NUMA node; else one a socket. */
  readonly caches?: number
  /** Threads of a core follow one another; else first threads of all cores come first. */
  readonly together?: boolean
  /** Cores in a row are on different sockets. */
  readonly interleaved?: boolean
}

export function placesOf(shape: Shape): CpuPlace[] {
  const { sockets, nodes, cores, threads, caches, together = false, interleaved = false } = shape
  const nodeCount = sockets * nodes
  const coreCount = nodeCount * cores
  return Array.from({ length: coreCount * threads }, (_, cpu) => {
    const core = together ? Math.floor(cpu / threads) : cpu % coreCount
    const numa = interleaved ? core % nodeCount : Math.floor(core / cores)
    const rank = interleaved ? Math.floor(core / nodeCount) : core % cores
    const socket = Math.floor(numa / nodes)
    const uncore =
      caches === undefined ? socket : numa * caches + Math.floor((rank * caches) / cores)
    // A core is known by its lowest CPU.
    return { cpu, core: together ? core * threads : core, socket, numa, uncore }
  })
}

export const machine = (shape: Shape): CpuTopology => createTopology(placesOf(shape))

/** With something else than the shape says at some CPUs. */
const changed = (shape: Shape, change: (place: CpuPlace) => Partial<CpuPlace>): CpuTopology =>
  createTopology(placesOf(shape).map((place) => Object.assign({}, place, change(place))))

export const machines = {
  'one CPU': machine({ sockets: 1, nodes: 1, cores: 1, threads: 1 }),
  'small cloud machine': machine({ sockets: 1, nodes: 1, cores: 1, threads: 2 }),
  laptop: machine({ sockets: 1, nodes: 1, cores: 4, threads: 2 }),
  'threads together': machine({ sockets: 1, nodes: 1, cores: 4, threads: 2, together: true }),
  'two sockets': machine({ sockets: 2, nodes: 1, cores: 4, threads: 2 }),
  'two sockets, interleaved': machine({
    sockets: 2,
    nodes: 1,
    cores: 4,
    threads: 2,
    interleaved: true,
  }),
  'two sockets in one node': changed({ sockets: 2, nodes: 1, cores: 4, threads: 1 }, () => ({
    numa: 0,
  })),
  'two nodes a socket': machine({ sockets: 2, nodes: 2, cores: 4, threads: 2 }),
  'four sockets': machine({ sockets: 4, nodes: 1, cores: 4, threads: 2 }),
  'split caches': machine({ sockets: 1, nodes: 1, cores: 16, threads: 1, caches: 4 }),
  'split caches, two threads': machine({ sockets: 1, nodes: 2, cores: 8, threads: 2, caches: 2 }),
  'caches over nodes': changed({ sockets: 1, nodes: 4, cores: 4, threads: 1 }, ({ numa }) => ({
    uncore: Math.floor(numa / 2),
  })),
  'four threads, nodes 0 and 8': changed(
    { sockets: 2, nodes: 1, cores: 4, threads: 4, together: true },
    ({ numa }) => ({ numa: numa * 8 }),
  ),
  // Two fast cores of two threads, and four slow ones of one.
  'fast and slow cores': changed({ sockets: 1, nodes: 1, cores: 8, threads: 1 }, ({ cpu }) => ({
    core: cpu < 4 ? cpu - (cpu % 2) : cpu,
  })),
  'eight nodes, 384 CPUs': machine({ sockets: 2, nodes: 4, cores: 24, threads: 2, caches: 3 }),
} satisfies Record<string, CpuTopology>

export type MachineName = keyof typeof machines
export const machineNames = Object.keys(machines) as MachineName[]
