import type { CgroupPlace, CgroupReader } from '../../ports/cgroup.ts'
import type { NodeKernel } from './kernel.ts'

/** The port over the model. There are no groups beside those of pods and containers. */
export function readSimulatedCgroups(
  kernel: Pick<NodeKernel, 'read' | 'waitedMicros' | 'machine' | 'settings'>,
): CgroupReader<CgroupPlace> {
  const waiting = (place: CgroupPlace): number | undefined => {
    const id = groupIdOf(place)
    const [waited, reading] = [kernel.waitedMicros(id), kernel.read(id)]
    // As of a real kernel, with the waiting for quota.
    return waited === undefined || reading === undefined
      ? undefined
      : waited + reading.throttledMicros
  }
  return {
    where: 'the simulated kernel',
    read: (place) => kernel.read(groupIdOf(place)),
    waiting,
    machine: kernel.machine,
    weightOf: (place) => kernel.settings(groupIdOf(place))?.shares,
    quotaOf: (place) => kernel.settings(groupIdOf(place)),
    driver: () => 'cgroupfs', // it takes any quota
    forget() {},
    close() {},
  }
}

/** Containers are known to the model by their ID without the runtime's scheme, pods by their UID. */
export function groupIdOf(place: CgroupPlace): string {
  if ('path' in place) return place.path
  return 'containerId' in place ? place.containerId.replace(/^[a-z0-9.+-]+:\/\//, '') : place.podUid
}
