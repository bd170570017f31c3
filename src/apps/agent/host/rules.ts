/** What a host's configuration comes to on its machine. */
import type { HostConfig } from '../../../apis/agent-config.ts'
import type { CpuTopology } from '../../../core/cpu/topology.ts'
import { InvalidInput } from '../../../core/errors.ts'
import { formatMillicores, showMillicores } from '../../../core/quantity.ts'
import type { Millicores } from '../../../core/units.ts'
import type { HostRules } from './decide.ts'
import { partitionCpus } from './partition.ts'
import type { QuotaRules } from './quotas.ts'

export type HostMachine = {
  readonly cpus: number
  /** Asked for only where a group wants CPUs of its own: not every kernel tells. */
  readonly topology: () => CpuTopology
}

export function rulesOf(
  config: HostConfig,
  { cpus, topology }: HostMachine,
  name: string,
): HostRules & QuotaRules {
  const { reserve, bidding, guardrail, smoothing, fastMillis, slowMillis } = config
  const { usesBurst, periodMillis } = config
  if (reserve >= cpus * 1000) {
    const got = formatMillicores(reserve)
    throw new InvalidInput(
      `${name}: expected reserve below the ${cpus} CPUs of this machine, got ${got}`,
    )
  }
  const isParted = config.groups.some(({ exclusiveCpus }) => exclusiveCpus > 0)
  const parts = isParted
    ? partitionCpus(config.groups, { topology: topology(), reserve, name })
    : undefined
  const capacity = ((parts?.shared.length ?? cpus) * 1000 - reserve) as Millicores
  const groups = config.groups.map(({ path, floor, ceiling = capacity, weight, isUrgent }) => {
    const exclusive = parts?.own.get(path)
    if (exclusive !== undefined) return { path, floor, ceiling, weight, exclusive }
    if (floor > capacity) {
      const own = parts === undefined ? 0 : cpus - parts.shared.length
      const less = `${own === 0 ? '' : `${own} by exclusiveCpus and `}a reserve of ${showMillicores(reserve)}`
      const allowed = `the capacity of ${showMillicores(capacity)} (${cpus} CPUs less ${less})`
      const got = showMillicores(floor)
      throw new InvalidInput(`${name}: group ${path}: expected floor within ${allowed}, got ${got}`)
    }
    const most = Math.min(ceiling, capacity) as Millicores
    return { path, floor, weight, ceiling: most, ...(isUrgent && { isUrgent }) }
  })
  return {
    cpus,
    capacity,
    groups,
    pool: parts?.shared,
    smoothing,
    protects: guardrail.isOn,
    throttledRatio: guardrail.throttledRatio,
    isStrict: bidding.enforcement === 'strict',
    sharesIdle: !bidding.isCostMode,
    headroomRatio: bidding.headroomRatio,
    mechanism: bidding.mechanism,
    respondsToPrice: bidding.respondsToPrice,
    fastMillis,
    slowMillis,
    usesBurst,
    periodMicros: periodMillis * 1000,
  }
}
