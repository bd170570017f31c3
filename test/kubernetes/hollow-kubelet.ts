import { whole } from '../../src/apis/keep.ts'
/**
 * Kubelets without machines, as clients of any API server: a pod that is bound to one of their nodes
 * runs as soon as it is seen, and a resize is done as soon as it is seen, unless a test says otherwise.
 */
import { type Node, nodes } from '../../src/apis/node.ts'
import type { KubeObject } from '../../src/apis/object.ts'
import { type Container, type Pod, pods } from '../../src/apis/pod.ts'
import { seededRandom } from '../../src/core/random.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { isReason, type Kube } from '../../src/ports/kube.ts'
import { timestamp } from '../../src/runtime/conditions.ts'
import { startInformer } from '../../src/runtime/informer.ts'

export type Answer =
  | 'done'
  | {
      readonly state: 'Deferred' | 'Infeasible' | 'InProgress' | 'Error'
      readonly message: string
    }

export type HollowKubelets = {
  /** Ends when nothing is written any more. */
  readonly stop: () => Promise<void>
}

export function startHollowKubelets(options: {
  readonly kube: Kube
  readonly clock: Clock
  readonly nodes: ReadonlySet<string>
  /** To a pod whose spec it has not seen before. */
  readonly answer?: (pod: Pod) => Answer
}): HollowKubelets {
  const { kube, clock, answer = () => 'done' } = options
  const ending = new AbortController()
  const { signal } = ending
  const writing = new Set<Promise<void>>()

  const write = async (pod: Pod): Promise<void> => {
    const { namespace = '', name = '' } = pod.metadata
    const status = statusOf(pod, answer(pod), timestamp(clock.wall()))
    const place = { namespace, name, subresource: 'status' } as const
    await kube
      .patch(pods, place, { type: 'merge', body: { status } }, { signal, purpose: 'status' })
      .catch((error: unknown) => {
        if (!signal.aborted && !isReason(error, 'NotFound')) throw error
      })
  }

  const look = (pod: Pod): void => {
    const { metadata, spec, status } = pod
    const isSeen = status?.phase === 'Running' && status.observedGeneration === metadata.generation
    if (isSeen || !options.nodes.has(spec.nodeName ?? '')) return
    const wrote = write(pod).finally(() => writing.delete(wrote))
    writing.add(wrote)
  }

  const informer = startInformer({
    kube,
    clock,
    signal,
    resource: pods,
    keep: whole,
    random: seededRandom(1),
    log: () => undefined,
    project: (pod) => pod,
    handlers: [(change) => change.type !== 'deleted' && look(change.now)],
  })
  return {
    stop: async () => {
      ending.abort()
      await informer.stopped
      await Promise.all(writing)
    },
  }
}

const conditionTypes = {
  Deferred: 'PodResizePending',
  Infeasible: 'PodResizePending',
  InProgress: 'PodResizeInProgress',
  Error: 'PodResizeInProgress',
} as const

function statusOf({ metadata, spec, status }: Pod, answer: Answer, now: string) {
  const { generation } = metadata
  const dated = { status: 'True', lastTransitionTime: now, observedGeneration: generation }
  const condition = answer !== 'done' && {
    ...dated,
    type: conditionTypes[answer.state],
    ...(answer.state !== 'InProgress' && { reason: answer.state }),
    message: answer.message,
  }
  const isFirst = status?.phase !== 'Running'
  return {
    phase: 'Running',
    observedGeneration: generation,
    conditions: [{ ...dated, type: 'Ready' }, ...(condition === false ? [] : [condition])],
    ...(isFirst && { startTime: now }),
    ...((isFirst || answer === 'done') && {
      containerStatuses: spec.containers.map((container) => runningStatus(container, now)),
    }),
  }
}

function runningStatus({ name, resources = {} }: Container, now: string) {
  return {
    name,
    image: 'none',
    imageID: '',
    ready: true,
    restartCount: 0,
    state: { running: { startedAt: now } },
    resources,
    ...(resources.requests && { allocatedResources: resources.requests }),
  }
}

/** Ready, with so many CPUs and room for any number of pods. */
export async function createNodes(
  kube: Kube,
  names: Iterable<string>,
  cpus: number,
): Promise<void> {
  const capacity = { cpu: String(cpus), memory: '256Gi', pods: '1000' }
  const status = {
    capacity,
    allocatable: capacity,
    conditions: [{ type: 'Ready', status: 'True' as const, reason: 'KubeletReady' }],
  }
  for (const name of names) {
    await kube.create<KubeObject>(nodes, { metadata: { name } })
    const place = { name, subresource: 'status' } as const
    await kube.patch<Node>(nodes, place, { type: 'merge', body: { status } })
  }
}
