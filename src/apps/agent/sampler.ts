/** Measures the containers of this node, from sample to sample. */
import type { Pod } from '../../apis/pod.ts'
import { track, type Tracked } from '../../core/demand/tracker.ts'
import type { CgroupReader, ContainerPlace } from '../../ports/cgroup.ts'
import type { Log } from '../../ports/log.ts'
import { placesOf } from './pod-facts.ts'

export type Sampler = {
  /** Reads every container of these pods once, and forgets all others. */
  readonly sample: (pods: readonly Pod[], cpus: number) => SampleCounts
  readonly trackedOf: (containerId: string) => Tracked | undefined
}

export type SampleCounts = {
  readonly containers: number
  /** Those without a cgroup: not yet, no longer, or looked for in the wrong place. */
  readonly missing: number
  /** Those whose sample cannot be used. */
  readonly dropped: number
}

export function createSampler(cgroups: CgroupReader, log: Log): Sampler {
  const known = new Map<string, { readonly place: ContainerPlace; readonly tracked: Tracked }>()

  const sampleOne = (place: ContainerPlace, cpus: number): 'read' | 'missing' | 'dropped' => {
    const { containerId } = place
    try {
      const reading = cgroups.read(place)
      if (reading === undefined) {
        known.delete(containerId)
        return 'missing'
      }
      const tracked = track(known.get(containerId)?.tracked, reading, cpus)
      known.set(containerId, { place, tracked })
      if (tracked.dropped === undefined) return 'read'
      log('debug', 'sample dropped', { container: containerId, reason: tracked.dropped })
    } catch (error) {
      log('warn', 'sample dropped', { container: containerId, error })
    }
    return 'dropped'
  }

  const sample: Sampler['sample'] = (pods, cpus) => {
    const places = pods.flatMap(placesOf)
    const counts = { read: 0, missing: 0, dropped: 0 }
    for (const place of places) counts[sampleOne(place, cpus)] += 1
    const present = new Set(places.map(({ containerId }) => containerId))
    for (const [containerId, { place }] of known) {
      if (present.has(containerId)) continue
      cgroups.forget(place)
      known.delete(containerId)
    }
    return { containers: places.length, missing: counts.missing, dropped: counts.dropped }
  }

  return { sample, trackedOf: (containerId) => known.get(containerId)?.tracked }
}
