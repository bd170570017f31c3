/** A busy node of 384 CPUs and 8 NUMA nodes, and hints on eight nodes, the same in every run. */
import { type CpuSet, noCpus } from '../../../src/core/cpu/cpu-set.ts'
import { type Hint, masksBySize, nodesIn } from '../../../src/core/cpu/hint.ts'
import { isRefusal } from '../../../src/core/cpu/refusal.ts'
import { assignCpus } from '../../../src/core/cpu/static-policy/assign.ts'
import type { StaticPolicy } from '../../../src/core/cpu/static-policy/policy.ts'
import { type Random, seededRandom } from '../../../src/core/random.ts'
import { placesOf } from '../../cpu/machines.ts'

export const places = placesOf({ sockets: 2, nodes: 4, cores: 24, threads: 2, caches: 3 })

export type Scene = {
  readonly available: CpuSet
  readonly count: number
  readonly affinity: readonly number[] | null
}

const pick = (random: Random, most: number): number => Math.floor(random() * most)

/** Containers of 2 to 64 CPUs come and go, so that what is free is in pieces. */
export function busyScenes(policy: StaticPolicy, scenes: number): Scene[] {
  const random = seededRandom(9)
  let available = policy.topology.cpus
  const held: CpuSet[] = []
  const size = () => 2 * (1 + pick(random, 32))
  return Array.from({ length: scenes }, () => {
    for (let turn = 0; turn < 4; turn++) {
      const count = size()
      const given = assignCpus(policy, { available, reusable: noCpus, count, affinity: null })
      if (!isRefusal(given)) {
        held.push(given)
        available = available.filter((cpu) => !given.includes(cpu))
      }
      while (available.length < 150) {
        const [freed = noCpus] = held.splice(pick(random, held.length), 1)
        available = [...available, ...freed].toSorted((a, b) => a - b)
      }
    }
    return { available, count: size(), affinity: null }
  })
}

/** Of four resources: sets of up to `widest` nodes, some taken away, the narrowest preferred. */
export function hintLists(widest: number, seed: number): Hint[][] {
  const random = seededRandom(seed)
  const nodes = [0, 1, 2, 3, 4, 5, 6, 7]
  const sets = masksBySize(nodes.length).map((mask) => nodesIn(mask, nodes))
  return Array.from({ length: 4 }, () => {
    const fewest = 1 + pick(random, Math.min(2, widest))
    return sets
      .filter(({ length }) => length >= fewest && length <= widest && random() < 0.9)
      .map((affinity) => ({ affinity, preferred: affinity.length === fewest }))
  })
}
