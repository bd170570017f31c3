/**
 * What a kubelet writes into the cgroups of a container and of its pod (pkg/kubelet/cm, MilliCPUToShares,
 * MilliCPUToQuota and ResourceConfigForPod). Of bursts it knows nothing.
 *
 *   request  limit  shares  quota in a period of 100 ms
 *   250m     500m   256     50000 us
 *   1m       1m     2       1000 us   the least of both
 *   none     none   2       no limit
 *   none     500m   512     50000 us  the request is the limit
 */
import type { ResourceRequirements } from '../../apis/pod.ts'
import { requestShares } from '../../core/cgroup/weight.ts'
import { parseCappedMillicores } from '../../core/quantity.ts'
import type { CpuSettings } from '../kernel/kernel.ts'
import { allContainers, type Allocation } from './allocation.ts'

const periodMicros = 100_000
const leastQuotaMicros = 1000

export function cpuSettings({ requests, limits }: ResourceRequirements = {}): CpuSettings {
  const limit = parseCappedMillicores(limits?.['cpu'] ?? '0')
  const request = requests?.['cpu'] === undefined ? limit : parseCappedMillicores(requests['cpu'])
  return {
    shares: requestShares(request),
    quotaMicros:
      limit === 0 ? null : Math.max(leastQuotaMicros, Math.floor((limit * periodMicros) / 1000)),
    periodMicros,
    burstMicros: 0,
  }
}

/** A pod has a quota where each of its containers has a limit, or itself. */
export function podCpuSettings({ spec, whole }: Allocation): CpuSettings {
  const isLimited =
    spec.resources?.limits?.['cpu'] !== undefined ||
    allContainers(spec).every(({ resources }) => resources?.limits?.['cpu'] !== undefined)
  return cpuSettings({
    ...(whole.requests && { requests: whole.requests }),
    ...(isLimited && whole.limits && { limits: whole.limits }),
  })
}
