/**
 * The cgroups of a pod as its kubelet writes them: the pod's up before its containers', down after
 * them. Bursts are not the kubelet's: whoever set one must take it back before a quota can go below.
 */
import type { ResourceRequirements } from '../../apis/pod.ts'
import { InvalidInput } from '../../core/errors.ts'
import type { CpuSettings, NodeKernel } from '../kernel/kernel.ts'
import type { SimPod } from '../nodes/pod.ts'
import type { Allocation } from './allocation.ts'
import { cpuSettings, podCpuSettings } from './cpu-settings.ts'

/** What can be refused gives undefined if it was not, else what the runtime says. */
export type PodCgroup = {
  readonly open: () => void
  readonly close: () => void
  /** As far as what is allocated is above it. */
  readonly raise: () => string | undefined
  /** To what is allocated. */
  readonly lower: () => string | undefined
  readonly setContainer: (id: string, resources: ResourceRequirements) => string | undefined
}

export function createPodCgroup({
  kernel,
  pod,
  allocated,
}: {
  readonly kernel: Pick<NodeKernel, 'addPod' | 'set' | 'settings' | 'remove'>
  readonly pod: () => SimPod
  readonly allocated: () => Allocation
}): PodCgroup {
  const podUid = pod().metadata.uid
  const settings = (): CpuSettings | undefined => kernel.settings(podUid)

  const write = (id: string, { shares, quotaMicros }: Quota): string | undefined => {
    const now = kernel.settings(id)
    if (now === undefined) return undefined
    try {
      kernel.set(id, { ...now, shares, quotaMicros })
      return undefined
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      const file = `${pathOf(pod())}${id === podUid ? '' : `/${id}`}/cpu.cfs_quota_us`
      return `failed to write "${quotaMicros}": write ${file}: invalid argument`
    }
  }

  const writePod = (choose: (now: CpuSettings, wanted: CpuSettings) => Quota) => {
    const now = settings()
    return now && write(podUid, choose(now, podCpuSettings(allocated())))
  }

  return {
    open: () => kernel.addPod({ podUid, cpu: podCpuSettings(allocated()) }),
    close: () => {
      if (settings() !== undefined) kernel.remove(podUid)
    },
    raise: () =>
      writePod((now, wanted) => ({
        shares: Math.max(now.shares, wanted.shares),
        quotaMicros: isAbove(wanted, now) ? wanted.quotaMicros : now.quotaMicros,
      })),
    // A limit that is not there any more changes nothing, as Kubernetes 1.36 has it.
    lower: () =>
      writePod((now, { shares, quotaMicros }) => ({
        shares,
        quotaMicros: quotaMicros ?? now.quotaMicros,
      })),
    setContainer: (id, resources) => write(id, cpuSettings(resources)),
  }
}

type Quota = Pick<CpuSettings, 'shares' | 'quotaMicros'>

/** A first quota counts as a raise. */
const isAbove = (wanted: Quota, now: Quota): boolean =>
  (wanted.quotaMicros ?? -1) > (now.quotaMicros ?? -1)

function pathOf({ metadata, status }: SimPod): string {
  const { qosClass = 'BestEffort' } = status ?? {}
  const classFolder = qosClass === 'Guaranteed' ? '' : `${qosClass.toLowerCase()}/`
  return `/sys/fs/cgroup/cpu/kubepods/${classFolder}pod${metadata.uid}`
}
