/**
 * Packs CPUs as one would write it down first: at every step the whole list of CPUs is asked again.
 * For machines with more NUMA nodes than sockets, all alike. A rival for speed, and a check.
 */
import type { CpuPlace } from '../../../src/core/cpu/topology.ts'

type Level = 'socket' | 'numa' | 'core'

export function packPlainly(
  places: readonly CpuPlace[],
  available: ReadonlySet<number>,
  count: number,
): number[] {
  let free = places.filter(({ cpu }) => available.has(cpu))
  const taken: number[] = []
  const take = (cpus: readonly number[]) => {
    taken.push(...cpus)
    free = free.filter(({ cpu }) => !cpus.includes(cpu))
  }
  const cpusAt = (among: readonly CpuPlace[], level: Level, id: number) =>
    among.filter((place) => place[level] === id).map(({ cpu }) => cpu)
  const ordered = (level: Level, among: readonly CpuPlace[]) =>
    [...new Set(among.map((place) => place[level]))].toSorted(
      (a, b) => cpusAt(free, level, a).length - cpusAt(free, level, b).length || a - b,
    )
  const below = (level: Level, id: number) => free.filter((place) => place[level] === id)
  const order: Record<Level, () => number[]> = {
    socket: () => ordered('socket', free),
    numa: () => order.socket().flatMap((id) => ordered('numa', below('socket', id))),
    core: () => order.numa().flatMap((id) => ordered('core', below('numa', id))),
  }
  for (const level of ['socket', 'numa', 'core'] as const) {
    const whole = order[level]().filter(
      (id) => cpusAt(free, level, id).length === cpusAt(places, level, id).length,
    )
    for (const id of whole) {
      const cpus = cpusAt(places, level, id)
      if (count - taken.length >= cpus.length) take(cpus)
    }
  }
  const single = order.core().flatMap((id) => cpusAt(free, 'core', id))
  take(single.slice(0, count - taken.length))
  return taken.toSorted((a, b) => a - b)
}
