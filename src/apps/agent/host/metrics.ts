/** The metrics of a host agent, declared once. Series are as many as the configuration has groups. */
import { isSuffering } from '../../../core/guardrail/signals.ts'
import type { Millicores } from '../../../core/units.ts'
import type { Registry } from '../../../runtime/metrics.ts'
import { type Group, limitOf } from './group.ts'
import type { Market } from './market.ts'

type InForce = {
  /** In cpu.shares. */
  readonly shares: number | undefined
  /** By the last clearing. */
  readonly given: Millicores | undefined
  /** To protect others. */
  readonly held: Millicores | undefined
}

export type HostMetrics = {
  /** A sample of one group, undefined when it is not there, and what it has by now. */
  readonly sampled: (path: string, group: Group | undefined, has: InForce) => void
  /** How many CPUs of its own a group runs on; 0 while it cannot. */
  readonly pinned: (path: string, cpus: number) => void
  readonly traded: (market: Market) => void
  readonly wrote: (result: 'done' | 'refused', count: number) => void
}

const modes = { uncongested: 0, congested: 1, overloaded: 2 }

export function hostMetrics({ counter, gauge }: Registry, sold: Millicores): HostMetrics {
  const ofGroup = ['group'] as const
  const present = gauge('mbcas_host_group_present', 'Whether the group is there: 0 or 1.', ofGroup)
  const quota = gauge('mbcas_host_quota_milli', 'Quota in the kernel, in millicores.', ofGroup)
  const demand = gauge('mbcas_host_demand_cores', 'Smoothed demand, in cores.', ofGroup)
  const used = gauge(
    'mbcas_host_used_cores',
    'Use between the last two samples, in cores.',
    ofGroup,
  )
  const floor = gauge(
    'mbcas_host_floor_milli',
    'Floor by the configuration, in millicores.',
    ofGroup,
  )
  const given = gauge(
    'mbcas_host_given_milli',
    'What the last clearing gave it, in millicores; absent for a group with CPUs of its own.',
    ofGroup,
  )
  const held = gauge(
    'mbcas_host_held_milli',
    'What it is held to, to protect others, in millicores; absent while it is not held back.',
    ofGroup,
  )
  const weight = gauge(
    'mbcas_host_weight',
    'Weight in the kernel, in cpu.shares whatever the cgroup version.',
    ofGroup,
  )
  const credits = gauge(
    'mbcas_host_lane_credits_seconds',
    'Unused floor saved up, in seconds of the floor; above 0 the group comes first.',
    ofGroup,
  )
  const suffering = gauge(
    'mbcas_host_suffering',
    'Whether the group waits for a CPU, or as a strict one for quota, too much of its time: 0 or 1.',
    ofGroup,
  )
  const waited = counter(
    'mbcas_host_waited_seconds_total',
    'Time in which tasks could have run but waited for a CPU; counted while the machine is busy.',
    ofGroup,
  )
  const periods = counter(
    'mbcas_host_cpu_periods_total',
    'Enforcement periods of CPU quota.',
    ofGroup,
  )
  const throttledPeriods = counter(
    'mbcas_host_cpu_throttled_periods_total',
    'Enforcement periods in which the quota ran out.',
    ofGroup,
  )
  const throttledSeconds = counter(
    'mbcas_host_cpu_throttled_seconds_total',
    'Time spent waiting for quota; every CPU that waits adds its own.',
    ofGroup,
  )
  const bursts = counter(
    'mbcas_host_cpu_burst_activations_total',
    'Enforcement periods above the quota, on what was saved before.',
    ofGroup,
  )
  const dropped = counter(
    'mbcas_host_dropped_samples_total',
    'Samples that did not count, by reason.',
    ['group', 'reason'],
  )
  const own = gauge(
    'mbcas_host_exclusive_cpus',
    'CPUs that the group has for itself alone; 0 while it is not pinned to them.',
    ofGroup,
  )
  const mode = gauge(
    'mbcas_host_mode',
    'How the market cleared: 0 uncongested, 1 congested, 2 overloaded.',
  )
  const price = gauge('mbcas_host_price_cpu', 'Price of a millicore.')
  gauge('mbcas_host_capacity_milli', 'Millicores that are sold.').set(sold)
  const writes = counter(
    'mbcas_host_kernel_writes_total',
    'Values written to cgroups, by result.',
    ['result'],
  )

  /** Of a group that is not there they would tell what is no more. */
  const ofOneThere = [quota, demand, used, floor, given, held, weight, credits, suffering]

  return {
    sampled: (path, group, has) => {
      const labels = { group: path }
      present.with(labels).set(group === undefined ? 0 : 1)
      if (group === undefined) {
        for (const family of ofOneThere) family.remove(labels)
        return
      }
      const { last, rates, demandCores, dropped: reason } = group.tracked
      quota.with(labels).set(limitOf(last) ?? NaN)
      floor.with(labels).set(group.rules.floor)
      if (has.shares !== undefined) weight.with(labels).set(has.shares)
      if (has.given !== undefined) given.with(labels).set(has.given)
      if (has.held === undefined) held.remove(labels)
      else held.with(labels).set(has.held)
      if (demandCores !== undefined) demand.with(labels).set(demandCores)
      if (reason !== undefined) {
        dropped.with({ ...labels, reason: reason.kind }).inc()
        return
      }
      credits.with(labels).set(group.credits)
      suffering.with(labels).set(isSuffering(group.verdict) ? 1 : 0)
      if (rates === undefined) return
      used.with(labels).set(rates.usageCores)
      periods.with(labels).inc(rates.periods)
      throttledPeriods.with(labels).inc(rates.throttledPeriods)
      throttledSeconds.with(labels).inc(rates.throttledCores * rates.seconds)
      bursts.with(labels).inc(rates.burstPeriods)
      waited.with(labels).inc(group.tracked.waitedCores * rates.seconds)
    },
    pinned: (path, cpus) => own.with({ group: path }).set(cpus),
    traded: ({ clearing }) => {
      mode.set(modes[clearing.mode])
      price.set(clearing.price ?? NaN)
    },
    wrote: (result, count) => writes.with({ result }).inc(count),
  }
}
