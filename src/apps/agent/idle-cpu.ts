/** Whether CPU is idle on the CPUs that pods share, for all that ask in a sample. */
import { poolOf } from '../../core/cpu/node-cpus.ts'
import type { CgroupReader } from '../../ports/cgroup.ts'
import type { NodeCpus } from '../../ports/node-cpus.ts'
import type { Sampler } from './sampler.ts'
import type { SeenPod } from './seen-pod.ts'
import { followShared, hasIdle, isBusy, noneSeen, withBusy } from './shared-cpus.ts'

export type IdleCpu = {
  /** Looks once. */
  readonly look: (use: SharedUse) => void
  /** CPU is short enough for waiting to be worth a look. */
  readonly isContended: () => boolean
  readonly hasIdleCpu: () => boolean
}

export type SharedUse = {
  /** How many are shared. */
  readonly cpus: number
  /** Used by containers on CPUs of their own. */
  readonly ownCores: number
  /** What the pods use, for a kernel that does not tell of the machine. */
  readonly usedCores: () => number
}

export function createIdleCpu(cgroups: Pick<CgroupReader, 'machine'>): IdleCpu {
  let shared = noneSeen
  return {
    look: ({ cpus, ownCores, usedCores }) => {
      const usage = cgroups.machine?.()
      shared =
        usage === undefined
          ? withBusy(shared, usedCores() / cpus)
          : followShared(shared, { usage, ownCores, cpus })
    },
    isContended: () => isBusy(shared),
    hasIdleCpu: () => hasIdle(shared),
  }
}

type Known = Pick<Sampler, 'usedCoresOf'> & {
  readonly cpus: number
  readonly nodeCpus: NodeCpus | undefined
}

/** Of how many CPUs a node's pods share the use, and what others use on theirs. */
export function sharedCpusOf(
  pods: readonly SeenPod[],
  { cpus, nodeCpus, usedCoresOf }: Known,
): Omit<SharedUse, 'usedCores'> {
  const pool = nodeCpus && poolOf(nodeCpus)
  if (nodeCpus === undefined || pool === undefined) return { cpus, ownCores: 0 }
  let ownCores = 0
  for (const { uid, containers } of pods) {
    const own = nodeCpus.exclusive.get(uid)
    if (own === undefined) continue
    for (const { name, place } of containers) {
      if (place !== undefined && own.has(name)) ownCores += usedCoresOf(place.containerId, cpus)
    }
  }
  // A strict reservation may leave none to share.
  return { cpus: Math.max(1, pool.length), ownCores }
}
