import type { CpuSet } from '../../core/cpu/cpu-set.ts'
import type { NumaDevices } from '../../core/cpu/node-cpus.ts'
import { overSocket } from './grpc-unary.ts'
import { type Devices, readAllocatable, readHeldDevices } from './pod-resources-messages.ts'

/** What only the running kubelet can tell. */
export type PodResources = {
  /** Those that it may give away; none unless the CPU Manager's policy is static. */
  readonly cpus: CpuSet
  readonly devices: readonly NumaDevices[]
}

const SERVICE = '/v1.PodResourcesLister'

/** Asks the kubelet whose socket it is. */
export const askPodResources = async (socket: string, signal: AbortSignal): Promise<PodResources> =>
  overSocket(socket, signal, async (ask) => {
    const { cpus, devices } = readAllocatable(await ask(`${SERVICE}/GetAllocatableResources`))
    const held = readHeldDevices(await ask(`${SERVICE}/List`))
    return { cpus, devices: countDevices(devices, held) }
  })

/** In an order of its own, since the kubelet answers in another each time. */
function countDevices(devices: readonly Devices[], held: readonly Devices[]): NumaDevices[] {
  const taken = new Set(held.flatMap(({ resource, ids }) => ids.map((id) => `${resource} ${id}`)))
  const groups = new Map<string, NumaDevices>()
  for (const { resource, ids, numa } of devices) {
    if (numa.length === 0) continue
    const key = `${resource} ${numa.join()}`
    const free = ids.filter((id) => !taken.has(`${resource} ${id}`))
    const before = groups.get(key)
    groups.set(key, {
      resource,
      numa,
      allocatable: (before?.allocatable ?? 0) + ids.length,
      available: (before?.available ?? 0) + free.length,
    })
  }
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, counted]) => counted)
}
