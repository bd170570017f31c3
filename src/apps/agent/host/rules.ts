/** What a host's configuration comes to on its machine. */
import type { HostConfig } from '../../../apis/agent-config.ts'
import { InvalidInput } from '../../../core/errors.ts'
import { formatMillicores } from '../../../core/quantity.ts'
import type { Millicores } from '../../../core/units.ts'
import type { KernelRules } from './agent.ts'
import type { HostRules } from './decide.ts'

export function rulesOf(config: HostConfig, cpus: number, name: string): HostRules & KernelRules {
  const { reserve, bidding, guardrail, smoothing, fastMillis, slowMillis } = config
  const { usesBurst, periodMillis } = config
  const capacity = (cpus * 1000 - reserve) as Millicores
  if (capacity <= 0) {
    const got = formatMillicores(reserve)
    throw new InvalidInput(
      `${name}: expected reserve below the ${cpus} CPUs of this machine, got ${got}`,
    )
  }
  const groups = config.groups.map(({ path, floor, ceiling = capacity, weight }) => {
    if (floor > capacity) {
      const most = `the capacity of ${formatMillicores(capacity)}`
      const got = formatMillicores(floor)
      throw new InvalidInput(`${name}: group ${path}: expected floor within ${most}, got ${got}`)
    }
    return { path, floor, weight, ceiling: Math.min(ceiling, capacity) as Millicores }
  })
  return {
    cpus,
    capacity,
    groups,
    smoothing,
    guardrail: guardrail.isOn
      ? { ...guardrail, blockedSeconds: guardrail.blockedMillis / 1000 }
      : undefined,
    headroomRatio: bidding.headroomRatio,
    mechanism: bidding.mechanism,
    respondsToPrice: bidding.respondsToPrice,
    fastMillis,
    slowMillis,
    cost: bidding.isCostMode ? config.cost : undefined,
    usesBurst,
    periodMillis,
  }
}
