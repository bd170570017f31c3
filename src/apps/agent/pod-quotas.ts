/** Quotas of a pod's groups: what the kubelet set, what is wanted, and what differs. */
import { cpuIn } from '../../apis/pod.ts'
import type { CpuReading } from '../../core/demand/reading.ts'
import type { Millicores } from '../../core/units.ts'
import {
  type CgroupPlace,
  type CgroupWriter,
  type CpuChange,
  type CpuSettings,
  nameOfPlace,
  type Quota,
} from '../../ports/cgroup.ts'
import type { ToldAmounts } from './allocation.ts'
import type { LastingContainer } from './pod-facts.ts'
import { cpuOfPodGroup } from './pod-group.ts'
import type { SeenPod } from './seen-pod.ts'

export type WantedQuota = {
  /** What the pod may use at most; undefined: nothing holds it, `asIs`: what the kubelet set. */
  readonly quota: Millicores | 'asIs' | undefined
  /** By container, where the quota is a share that containers have their part of. */
  readonly quotas?: ReadonlyMap<string, Millicores> | undefined
  /** CPU that was not used may be used later, as much as the quota and the limit. */
  readonly bursts: boolean
}

export type LimitedGroup = { readonly place: CgroupPlace; readonly limit: Millicores | undefined }

/** The pod and its containers, with the limits that the kubelet has set or is about to set. */
export function groupsOf(seen: SeenPod, told?: ToldAmounts['limits']): LimitedGroup[] {
  const containers = seen.containers.map(({ name, place, limit }) => ({
    place,
    limit: limit === undefined ? undefined : (Math.max(limit, told?.get(name) ?? 0) as Millicores),
  }))
  const byName = new Map(seen.containers.map(({ name }, i) => [name, containers[i]?.limit]))
  const { limit: whole } = cpuOfPodGroup(seen.pod.spec, ({ name, resources }) =>
    byName.has(name) ? byName.get(name) : cpuIn(resources?.limits),
  )
  return [
    { place: seen.place, limit: whole },
    ...containers.flatMap(({ place, limit }) => (place === undefined ? [] : [{ place, limit }])),
  ]
}

export const milliOf = ({ quotaMicros, periodMicros }: CpuSettings): number | undefined =>
  quotaMicros === null ? undefined : (quotaMicros / periodMicros) * 1000

/** systemd rounds a quota up to whole percents of a CPU. */
export const isNear = (milli: number | undefined, limit: number | undefined): boolean =>
  milli === undefined || limit === undefined ? milli === limit : Math.abs(milli - limit) <= 10

/** Of a container, or of the pod's own group: a kubelet that lowers a limit writes that one last. */
export function isOther(
  { quotaMicros, periodMicros, burstLimitMicros }: Quota & Pick<CpuReading, 'burstLimitMicros'>,
  wanted: WantedQuota,
  container: LastingContainer | undefined,
): boolean {
  const amount = quotaFor(wanted, container)
  if (amount === 'asIs') return false
  if (quotaMicros !== (amount === undefined ? null : microsOf(amount, periodMicros))) return true
  const burst = burstBeside({ quotaMicros, periodMicros, limit: container?.limit }, wanted)
  return burstLimitMicros !== undefined && burstLimitMicros !== burst
}

const quotaFor = (
  { quota, quotas }: WantedQuota,
  container: LastingContainer | undefined,
): WantedQuota['quota'] => (container && quotas?.get(container.name)) ?? quota

type Bounds = Pick<CpuReading, 'quotaMicros' | 'periodMicros'> & {
  readonly limit: Millicores | undefined
}

/** As much as the quota, but not above the limit: a kubelet cannot set a quota below its burst. */
function burstBeside(
  { quotaMicros, periodMicros, limit }: Bounds,
  { bursts }: Pick<WantedQuota, 'bursts'>,
): number {
  if (!bursts || quotaMicros === null) return 0
  return Math.min(quotaMicros, limit === undefined ? Infinity : microsOf(limit, periodMicros))
}

/** What was set last, by the name of the group; null is no limit. */
export type SetQuotas = ReadonlyMap<string, number | null>

/**
 * What the spec says, where the quota that we set stands; undefined where another does, which may be
 * the kubelet's, newer than the spec that we know.
 */
export function undoneQuota(
  { place, limit }: LimitedGroup,
  { quotaMicros, periodMicros }: Quota,
  ours: SetQuotas,
): number | null | undefined {
  const wrote = ours.get(nameOfPlace(place))
  if (wrote === undefined || wrote !== quotaMicros) return undefined
  return limit === undefined ? null : microsOf(limit, periodMicros)
}

/** Undefined quota: as the kubelet set it, which is none. */
export function quotaChanges(
  seen: SeenPod,
  wanted: WantedQuota,
  { writer, ours }: { readonly writer: Pick<CgroupWriter, 'settings'>; readonly ours: SetQuotas },
): CpuChange[] {
  return groupsOf(seen).flatMap(({ place, limit }): CpuChange[] => {
    const has = writer.settings(place)
    const container = seen.containers.find((one) => one.place === place)
    const amount = quotaFor(wanted, container)
    if (has === undefined) return []
    if (amount === 'asIs') {
      const quotaMicros = undoneQuota({ place, limit }, has, ours)
      return quotaMicros === undefined ? [] : [{ place, quotaMicros }]
    }
    const { periodMicros } = has
    const quotaMicros = amount === undefined ? null : microsOf(amount, periodMicros)
    const burstMicros = burstBeside({ quotaMicros, periodMicros, limit }, wanted)
    const isSame =
      has.quotaMicros === quotaMicros &&
      (has.burstMicros === undefined || has.burstMicros === burstMicros)
    return isSame ? [] : [{ place, quotaMicros, burstMicros }]
  })
}

/** The least that kernels take, and kubelets set. */
const LEAST_MICROS = 1000

export const microsOf = (amount: Millicores, periodMicros: number): number =>
  Math.max(LEAST_MICROS, Math.round((amount * periodMicros) / 1000))
