/** For tests: a controller alone on an embedded cluster, and PodAllocations written by hand. */
import assert from 'node:assert/strict'

import { events, type KubeEvent } from '../../src/apis/event.ts'
import { fieldManagers } from '../../src/apis/names.ts'
import {
  type PodAllocation,
  podAllocations,
  type PodAllocationSpec,
  type PodAllocationStatus,
} from '../../src/apis/pod-allocation.ts'
import { type Pod, pods } from '../../src/apis/pod.ts'
import type { ResizeReason } from '../../src/core/resize/types.ts'
import {
  type ControllerStart,
  onSite,
  type RunningController,
  type Site,
  type SiteOptions,
  startController,
} from '../site.ts'
import { amountsOf, followResizes, followStatuses, type Resize, type Word } from './follow.ts'
import { waitFor } from './wait.ts'

/** Of the one container `app`, or of those that are named. */
export type Wish = {
  readonly request?: string
  readonly limit?: string
  readonly containers?: PodAllocationSpec['containers']
  readonly urgency?: PodAllocationSpec['urgency']
  readonly podUID?: string
  readonly annotations?: Readonly<Record<string, string>>
}

export type Stage = Site & {
  readonly resizes: readonly Resize[]
  readonly words: readonly Word[]
  readonly metrics: () => string
  readonly replaceController: (start?: ControllerStart) => Promise<void>
  readonly stopController: () => Promise<void>
  /** Once they run. */
  readonly run: (...given: readonly Pod[]) => Promise<void>
  /** Makes the allocation of a pod, or changes it. */
  readonly wish: (name: string, wish: Wish) => Promise<void>
  readonly pod: (name: string) => Promise<Pod>
  /** Of its containers, such as `app limit`, by its spec. */
  readonly cpu: (name: string) => Promise<Readonly<Record<string, number>>>
  readonly status: (name: string) => Promise<PodAllocationStatus>
  /** Waits until the allocation's status is about this spec and has this reason. */
  readonly until: (
    name: string,
    reason: ResizeReason,
    seconds?: number,
  ) => Promise<PodAllocationStatus>
  /** Those of the controller about what has this name. */
  readonly events: (name: string) => Promise<readonly KubeEvent[]>
}

const at = (name: string) => ({ namespace: 'default', name })

export async function onStage(
  { config, way, ...options }: SiteOptions & ControllerStart,
  work: (stage: Stage) => Promise<void>,
): Promise<void> {
  await onSite(options, async (site) => {
    const { cluster, kube, pass } = site
    const start = { ...(config && { config }), ...(way && { way }) }
    let running: RunningController = startController(site, start)
    const find = async (name: string): Promise<PodAllocation> => kube.get(podAllocations, at(name))

    const until: Stage['until'] = async (name, reason, seconds = 30) => {
      let seen: PodAllocation | undefined
      await waitFor(site, `${name} to be ${reason}`, {
        seconds,
        holds: async () => {
          seen = await find(name)
          const { status, metadata } = seen
          return status?.reason === reason && status.observedGeneration === metadata.generation
        },
        tell: () => JSON.stringify(seen?.status),
      })
      return seen?.status ?? {}
    }

    const stage: Stage = {
      ...site,
      resizes: followResizes(cluster),
      words: followStatuses(cluster),
      metrics: () => running.metrics.render(),
      replaceController: async (start) => {
        await running.stop()
        running = startController(site, start)
      },
      stopController: async () => running.stop(),
      run: async (...given) => {
        for (const pod of given) await kube.create(pods, pod)
        await pass(4)
      },
      wish: async (name, wish) => {
        const { annotations, spec } = allocationOf(name, wish)
        const exists = cluster.api.find(podAllocations, at(name)) !== undefined
        const metadata = { ...at(name), ...(annotations && { annotations }) }
        if (exists) await kube.patch(podAllocations, at(name), { type: 'merge', body: { spec } })
        else await kube.create<PodAllocation>(podAllocations, { metadata, spec })
      },
      pod: async (name) => kube.get(pods, at(name)),
      cpu: async (name) => Object.fromEntries(amountsOf(await kube.get(pods, at(name)))),
      status: async (name) => (await find(name)).status ?? {},
      until,
      events: async (name) => {
        const { items } = await kube.list(events, { namespace: 'default' })
        return items.filter(
          ({ involvedObject, reportingComponent }) =>
            involvedObject.name === name && reportingComponent === fieldManagers.controller,
        )
      },
    }
    await work(stage)
    await running.stop()
  })
}

function allocationOf(name: string, { request, limit, containers, ...wish }: Wish) {
  const { urgency = 'normal', podUID, annotations } = wish
  const spec: PodAllocationSpec = {
    podName: name,
    urgency,
    ...(podUID !== undefined && { podUID }),
    ...(containers && { containers }),
    ...(request !== undefined && { desiredCPURequest: request }),
    ...(limit !== undefined && { desiredCPULimit: limit }),
  }
  return { spec, annotations }
}

/** No container was started anew, and the class is what it was. */
export function assertUnharmed({ metadata, status }: Pod, qosClass = 'Burstable'): void {
  const all = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])]
  const restarts = all.map(({ restartCount }) => restartCount)
  assert.deepEqual(
    { qosClass: status?.qosClass, restarts: restarts.filter((count) => count > 0) },
    { qosClass, restarts: [] },
    metadata.name,
  )
}
