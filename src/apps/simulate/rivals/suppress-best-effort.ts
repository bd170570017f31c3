/**
 * Koordinator's CPU suppress on every node: pods without a request share what the others leave of 65 % of
 * it. Theirs is one quota on their common group; here each has an even part of it.
 */
import { ratesBetween } from '../../../core/demand/rates.ts'
import type { CpuReading } from '../../../core/demand/reading.ts'
import { suppress, THRESHOLD_RATIO } from '../../../core/rivals/suppress.ts'
import type { CpuChange } from '../../../ports/cgroup.ts'
import { every } from '../../../runtime/every.ts'
import type { StagedPod } from '../roster.ts'
import type { Stage, StageNode } from '../stage.ts'

const EVERY_MILLIS = 1000
const PERIOD_MICROS = 100_000

export const isBestEffort = ({ place }: StagedPod): boolean => place.qosClass === 'BestEffort'

export async function suppressBestEffort(stage: Stage, signal: AbortSignal): Promise<void> {
  const { clock, log, nodes, roster } = stage
  const turns = nodes.map(createTurn)
  const rhythm = { interval: EVERY_MILLIS, clock, log, signal, doing: 'suppressing best effort' }
  await every(rhythm, () => {
    for (const turn of turns) turn(roster)
  })
}

function createTurn(node: StageNode): (roster: Stage['roster']) => void {
  let readings = new Map<string, CpuReading>()
  let quota = node.cpus * THRESHOLD_RATIO

  const usedCores = (pods: readonly StagedPod[], now: Map<string, CpuReading>): number => {
    let used = 0
    for (const { place } of pods.flatMap(({ containers }) => containers)) {
      const reading = place && node.cgroups.read(place)
      if (place === undefined || reading === undefined) continue
      now.set(place.containerId, reading)
      const before = readings.get(place.containerId)
      const measured = before && ratesBetween(before, reading, node.cpus)
      if (measured && 'rates' in measured) used += measured.rates.usageCores
    }
    return used
  }

  return (roster) => {
    const pods = roster.on(node.name)
    const batch = pods.filter(isBestEffort)
    if (batch.length === 0) return
    const now = new Map<string, CpuReading>()
    const services = usedCores(
      pods.filter((pod) => !isBestEffort(pod)),
      now,
    )
    readings = now
    quota = suppress(quota, { cores: node.cpus, services, system: 0 })
    const each = Math.round((quota / batch.length) * PERIOD_MICROS)
    node.writer.write(batch.flatMap((pod) => changesFor(pod, each)))
  }
}

/** Of the pod, and evenly of its containers: here no quota of a pod holds containers without one. */
function changesFor({ place, containers }: StagedPod, quotaMicros: number): CpuChange[] {
  const running = containers.flatMap((container) => container.place ?? [])
  const each = Math.floor(quotaMicros / Math.max(1, running.length))
  return [{ place, quotaMicros }, ...running.map((one) => ({ place: one, quotaMicros: each }))]
}
