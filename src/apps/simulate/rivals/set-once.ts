/** Rivals that set something in the kernel once, as soon as a container is seen, and leave it at that. */
import { SHARES_PER_CPU } from '../../../core/enforcement/weigh.ts'
import type { CpuChange } from '../../../ports/cgroup.ts'
import { every } from '../../../runtime/every.ts'
import type { StagedContainer, StagedPod } from '../roster.ts'
import type { Stage } from '../stage.ts'

export type FirstSettings = (pod: StagedPod) => readonly CpuChange[]

/** A container that has just started goes without for so long at most. */
const EVERY_MILLIS = 100

export async function setOnce(
  { clock, log, nodes, roster }: Stage,
  settings: readonly FirstSettings[],
  signal: AbortSignal,
): Promise<void> {
  const done = new Set<string>()
  const isNew = ({ containers }: StagedPod): boolean =>
    containers.some(({ place }) => place !== undefined && !done.has(place.containerId))

  await every({ interval: EVERY_MILLIS, clock, log, signal, doing: 'setting containers' }, () => {
    for (const { name, writer } of nodes) {
      for (const pod of roster.on(name).filter(isNew)) {
        for (const changesFor of settings) writer.write(changesFor(pod))
        for (const { place } of pod.containers) if (place !== undefined) done.add(place.containerId)
      }
    }
  })
}

const placesOf = ({ place, containers }: StagedPod): CpuChange['place'][] => [
  place,
  ...containers.flatMap((container) => container.place ?? []),
]

export const noQuotas: FirstSettings = (pod) =>
  placesOf(pod).map((place) => ({ place, quotaMicros: null }))

/** The longest that the kernel takes. */
const LONG_PERIOD_MICROS = 1_000_000

/** Limits as they are, but with the longest period, and with burst: what is saved up may be used later. */
export function longPeriods({ place, containers }: StagedPod): CpuChange[] {
  const periodMicros = LONG_PERIOD_MICROS
  const changeOf = (of: CpuChange['place'], milli: number): CpuChange => {
    const quotaMicros = milli * (periodMicros / 1000)
    return { place: of, periodMicros, quotaMicros, burstMicros: quotaMicros }
  }
  const changes = containers.flatMap(({ place: of, limitMilli }) =>
    of === undefined || limitMilli === undefined ? [] : [changeOf(of, limitMilli)],
  )
  if (containers.some(({ limitMilli }) => limitMilli === undefined)) return changes
  return [changeOf(place, sumOf(containers, 'limitMilli')), ...changes]
}

/** What a pod weighs, for each CPU that it requests. */
export type Weighing = (pod: StagedPod) => number

/** As a kubelet would set it for a request that is so much larger; who requests nothing stays as it is. */
export function weighBy(weighing: Weighing): FirstSettings {
  return (pod) => {
    const requested = sumOf(pod.containers, 'requestMilli')
    const shares = Math.round((requested / 1000) * SHARES_PER_CPU * weighing(pod))
    return requested === 0 ? [] : [{ place: pod.place, shares }]
  }
}

const sumOf = (
  containers: readonly StagedContainer[],
  amount: 'requestMilli' | 'limitMilli',
): number => containers.reduce((sum, container) => sum + (container[amount] ?? 0), 0)

/** What its owner said of its say. */
export const byWeight: Weighing = ({ weight }) => weight

/** So much more than batch work weighs what somebody waits for, where it is set by hand. */
const SERVICE_RATIO = 100

/** By somebody who knows what MBCAS is told: requests, weights, and who has a latency target. */
export const byHand: Weighing = ({ weight, targetMillis }) =>
  targetMillis === undefined ? weight : weight * SERVICE_RATIO
