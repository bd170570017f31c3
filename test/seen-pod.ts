/** For tests: a pod that runs, as the agent sees it, and a kernel that has its groups. */
import type { LimitRange } from '../src/apis/limit-range.ts'
import { parseLoad } from '../src/apis/load.ts'
import { defaultSettings } from '../src/apis/market-settings.ts'
import type { Pod } from '../src/apis/pod.ts'
import { cpuOfPodGroup } from '../src/apps/agent/pod-group.ts'
import { podViewer, type SeenPod } from '../src/apps/agent/seen-pod.ts'
import { requestShares } from '../src/core/cgroup/weight.ts'
import { seededRandom } from '../src/core/random.ts'
import { createAgenda } from '../src/sim/create-agenda.ts'
import { readSimulatedCgroups } from '../src/sim/kernel/cgroup-reader.ts'
import { writeSimulatedCgroups } from '../src/sim/kernel/cgroup-writer.ts'
import type { CpuSettings } from '../src/sim/kernel/kernel.ts'
import { createNodeKernel } from '../src/sim/kernel/node-kernel.ts'
import { loadedPod, type PodOptions } from './platform.ts'

export type SeenOptions = PodOptions & {
  readonly name?: string
  /** What differs in its spec. */
  readonly spec?: Partial<Pod['spec']>
  /** Of its namespace. */
  readonly limitRanges?: readonly LimitRange[]
  readonly qosClass?: 'Guaranteed' | 'Burstable' | 'BestEffort'
}

/** Its UID is its name, and its containers' IDs begin with it. */
export function seenPod(given: SeenOptions = {}): SeenPod {
  const { name = 'api', spec, qosClass, limitRanges = [], ...options } = given
  const pod = loadedPod(name, options)
  const whole = { ...pod.spec, ...spec }
  const lasting = [
    ...whole.containers,
    ...(whole.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always'),
  ]
  const view = podViewer({
    namespaceOf: () => undefined,
    settings: () => defaultSettings,
    limitRangesOf: () => limitRanges,
  })
  return view({
    ...pod,
    metadata: { ...pod.metadata, uid: name },
    spec: whole,
    status: {
      phase: 'Running',
      qosClass: qosClass ?? 'Burstable',
      containerStatuses: lasting.map((container) => ({
        name: container.name,
        restartCount: 0,
        containerID: `containerd://${name}-${container.name}`,
        state: { running: {} },
      })),
    },
  })
}

/** As a kubelet sets the groups of these pods. */
export function kernelOf(pods: readonly SeenPod[], rule: (request: number) => number) {
  const agenda = createAgenda({ speed: 'max', startsAt: 0 })
  const kernel = createNodeKernel({ agenda, cpus: 4, random: seededRandom(1) })
  const free: CpuSettings = {
    shares: 2,
    quotaMicros: null,
    periodMicros: 100_000,
    burstMicros: 0,
  }
  const cpuOf = (request: number, limit: number | undefined): CpuSettings => {
    const quotaMicros = limit === undefined ? null : limit * 100
    return { ...free, shares: rule(request), quotaMicros }
  }
  for (const { uid, pod, containers } of pods) {
    const { request, limit } = cpuOfPodGroup(pod.spec)
    kernel.addPod({ podUid: uid, cpu: cpuOf(request, limit) })
    for (const { name, request = 0, limit } of containers) {
      const cpu = { ...cpuOf(request, limit), shares: requestShares(request) }
      kernel.add({ id: `${uid}-${name}`, podUid: uid, cpu, load: parseLoad('idle') })
    }
  }
  return {
    kernel,
    reader: readSimulatedCgroups(kernel),
    writer: writeSimulatedCgroups(kernel),
    sharesOf: (id: string) => kernel.settings(id)?.shares,
    /** In millicores; null is no limit. */
    quotaOf: (id: string) => {
      const micros = kernel.settings(id)?.quotaMicros
      return micros === null || micros === undefined ? micros : micros / 100
    },
    setShares: (id: string, shares: number) =>
      kernel.set(id, { ...(kernel.settings(id) ?? free), shares }),
  }
}
