/** VPA's updater on a cluster: resizes in place, and evicts where that cannot be. */
import { pods } from '../../../apis/pod.ts'
import { formatMillicores } from '../../../core/quantity.ts'
import { type Recommendation, whyUpdate } from '../../../core/rivals/vpa.ts'
import { type Millicores, millicores } from '../../../core/units.ts'
import { ApiError, ConnectionFailed } from '../../../ports/kube.ts'
import type { StagedContainer, StagedPod } from '../roster.ts'
import type { Stage } from '../stage.ts'

/** After which a resize that its node has no room for is given up. */
const PUT_OFF_MILLIS = 5 * 60_000
/** VPA's `--min-replicas`: the last pod of a workload is not evicted. */
const LEAST_PODS = 2

export type VpaUpdater = {
  readonly update: (
    pod: StagedPod,
    recommendations: ReadonlyMap<string, Recommendation>,
    signal: AbortSignal,
  ) => Promise<void>
  readonly evictions: () => number
}

type Wish = { readonly container: StagedContainer; readonly target: Millicores }

export function createVpaUpdater({ clock, kube, roster }: Stage): VpaUpdater {
  /** By container of a pod: limit over request, as it came. */
  const ratios = new Map<string, number | undefined>()
  /** By pod: since when its resize waits. */
  const waiting = new Map<string, number>()
  /** By workload: what an eviction was in vain for. */
  const walls = new Map<string, number>()
  let evictions = 0

  const limitFor = (pod: StagedPod, { container, target }: Wish): Millicores | undefined => {
    const key = `${pod.uid} ${container.name}`
    const { requestMilli, limitMilli } = container
    if (!ratios.has(key)) {
      ratios.set(key, requestMilli && limitMilli && limitMilli / requestMilli)
    }
    const ratio = ratios.get(key)
    return ratio === undefined ? undefined : millicores(Math.floor(target * ratio))
  }

  const evict = async (pod: StagedPod, wishes: readonly Wish[], signal: AbortSignal) => {
    const target = wishes.reduce((sum, wish) => sum + wish.target, 0)
    const alike = [...roster.all()].filter(
      ({ workload, isLeaving }) => workload === pod.workload && !isLeaving,
    )
    if (alike.length < LEAST_PODS || target >= (walls.get(pod.workload) ?? Infinity)) return
    walls.set(pod.workload, target)
    evictions += 1
    const { namespace, name, uid } = pod
    await kube.remove(pods, { namespace, name }, { uid, signal })
  }

  const hasWaitedLong = ({ uid, isWaitingForResize }: StagedPod): boolean => {
    if (!isWaitingForResize) {
      waiting.delete(uid)
      return false
    }
    const since = waiting.get(uid) ?? clock.now()
    waiting.set(uid, since)
    return clock.now() - since >= PUT_OFF_MILLIS
  }

  const resize = async (pod: StagedPod, wishes: readonly Wish[], signal: AbortSignal) => {
    const containers = wishes.map((wish) => {
      const limit = limitFor(pod, wish)
      const requests = { cpu: formatMillicores(wish.target) }
      const limits = limit && { cpu: formatMillicores(limit) }
      return { name: wish.container.name, resources: { requests, ...(limits && { limits }) } }
    })
    const place = { namespace: pod.namespace, name: pod.name, subresource: 'resize' } as const
    const patch = { type: 'strategic', body: { spec: { containers } } } as const
    await kube.patch(pods, place, patch, { signal, fieldManager: 'vpa-updater' })
  }

  return {
    async update(pod, recommendations, signal) {
      const wishes = pod.containers.flatMap((container): Wish[] => {
        const found = recommendations.get(container.name)
        if (found === undefined || container.isSidecar) return []
        return [{ container, target: found.target }]
      })
      const age = pod.startedAt === undefined ? 0 : clock.wall() - pod.startedAt
      const isDue = wishes.some(({ container: { name, requestMilli } }) => {
        const recommendation = recommendations.get(name)
        const request = requestMilli === undefined ? undefined : millicores(requestMilli)
        return recommendation && whyUpdate({ recommendation, request, age }) !== undefined
      })
      try {
        if (hasWaitedLong(pod)) await evict(pod, wishes, signal)
        else if (isDue) await resize(pod, wishes, signal)
      } catch (error) {
        if (isRefusal(error)) await evict(pod, wishes, signal)
        else if (!isPassing(error)) throw error
      }
    },
    evictions: () => evictions,
  }
}

/** By the rules for resizes, or because the node is too small. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 403 || error.code === 422)

/** The pod has gone or changed, or the API server has a bad minute: there is another in a minute. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError || error instanceof ConnectionFailed
