/**
 * A machine drawn with characters: a letter a CPU, a word a core, a bar between caches, a line a NUMA
 * node, broken where the terminal ends.
 *
 *   socket 0  NUMA 0  RA .. | .. ..
 *             NUMA 1  .. .. | BB BB
 */
import { cpusIn, type CpuTopology, idsTouched } from '../../../core/cpu/topology.ts'
import { wrap } from '../show.ts'

export type Draw = {
  /** One character. */
  readonly markOf: (cpu: number) => string
  readonly width: number
}

export function drawMachine(topology: CpuTopology, { markOf, width }: Draw): string[] {
  const nodes = topology.numa.ids.map((id) => {
    const cpus = cpusIn(topology, 'numa', id)
    const sockets = idsTouched(topology, 'socket', cpus)
    const title = `${sockets.length === 1 ? 'socket' : 'sockets'} ${sockets.join()}`
    return { id, cpus, title }
  })
  const widest = Math.max(...nodes.map(({ title }) => title.length))
  return nodes.flatMap(({ id, cpus, title }, i) => {
    const isSameSocket = title === nodes[i - 1]?.title
    const heading = `${(isSameSocket ? '' : title).padEnd(widest)}  NUMA ${id}  `
    const room = Math.max(20, width - heading.length)
    const lines = wrap(drawNode(topology, cpus, markOf), room, 0)
    return lines.map((line, i) => (i === 0 ? heading : ' '.repeat(heading.length)) + line)
  })
}

function drawNode(topology: CpuTopology, cpus: readonly number[], markOf: Draw['markOf']): string {
  const caches = idsTouched(topology, 'uncore', cpus).map((cache) => {
    const ofCache = new Set(cpusIn(topology, 'uncore', cache))
    const near = cpus.filter((cpu) => ofCache.has(cpu))
    const cores = idsTouched(topology, 'core', near)
    return cores.map((core) => cpusIn(topology, 'core', core).map(markOf).join('')).join(' ')
  })
  return caches.join(' | ')
}
