/**
 * No limits, the plainest rival: requests as written, and no quota on any container, set in the kernel as
 * soon as a container is seen, so that scenarios are played as they are.
 */
import { every } from '../../../runtime/every.ts'
import type { StagedPod } from '../roster.ts'
import type { Stage } from '../stage.ts'

/** A container that has just started is short for so long at most. */
const EVERY_MILLIS = 100

export async function liftLimits(
  { clock, log, nodes, roster }: Stage,
  signal: AbortSignal,
): Promise<void> {
  const lifted = new Set<string>()
  const isNew = ({ containers }: StagedPod): boolean =>
    containers.some(({ place }) => place !== undefined && !lifted.has(place.containerId))

  await every({ interval: EVERY_MILLIS, clock, log, signal, doing: 'lifting limits' }, () => {
    for (const { name, writer } of nodes) {
      for (const pod of roster.on(name).filter(isNew)) {
        const places = pod.containers.flatMap(({ place }) => place ?? [])
        writer.write([pod.place, ...places].map((place) => ({ place, quotaMicros: null })))
        for (const { containerId } of places) lifted.add(containerId)
      }
    }
  })
}
