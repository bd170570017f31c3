/** One container of a running pod, over all its restarts. */
import { createHash } from 'node:crypto'

import type { ResourceList, ResourceRequirements } from '../../apis/pod.ts'
import type { Random } from '../../core/random.ts'
import { isSidecar } from '../apiserver/kinds/pod/resources.ts'
import type {
  ContainerState,
  SimContainer,
  SimContainerStatus,
  SimPod,
  Terminated,
} from '../nodes/pod.ts'

export type ContainerRun = {
  readonly name: string
  readonly kind: 'init' | 'sidecar' | 'main'
  state: ContainerState
  lastEnd: Terminated | undefined
  /** Without the runtime's name; empty before the first start. */
  id: string
  restartCount: number
  isReady: boolean
  isStarted: boolean
  /** What the node has set in the kernel; undefined before the first start. */
  actual: ResourceRequirements | undefined
  /** Milliseconds that the next restart waits; 0 is none. */
  backOff: number
  /** A start that waits for its image or its back-off. */
  isStarting: boolean
  /** What it does comes to an end by itself. */
  hasEnd: boolean
}

const waiting = (reason: string): ContainerState => ({ waiting: { reason } })

export function newRuns({ spec, status }: SimPod): readonly ContainerRun[] {
  const { initContainers = [], containers } = spec
  const reason = initContainers.length > 0 ? 'PodInitializing' : 'ContainerCreating'
  const told = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
  const run = (name: string, kind: ContainerRun['kind']): ContainerRun => ({
    name,
    kind,
    state: waiting(reason),
    id: '',
    isReady: false,
    isStarted: false,
    actual: undefined,
    backOff: 0,
    isStarting: false,
    hasEnd: false,
    ...afterLoss(told.find((one) => one.name === name)),
  })
  return [
    ...initContainers.map((one) => run(one.name, isSidecar(one) ? 'sidecar' : 'init')),
    ...containers.map((one) => run(one.name, 'main')),
  ]
}

/** What ran when the node was lost ended then; nobody knows how. */
function afterLoss(status: SimContainerStatus | undefined) {
  const { state, lastState, restartCount = 0, containerID = '' } = status ?? {}
  if (containerID === '') return { lastEnd: undefined, restartCount: 0 }
  let lastEnd = lastState?.terminated
  if (state && 'terminated' in state) lastEnd = state.terminated
  if (state && 'running' in state) {
    const { startedAt } = state.running
    lastEnd = { exitCode: 255, reason: 'Unknown', startedAt, finishedAt: startedAt, containerID }
  }
  return { lastEnd, restartCount: restartCount + 1 }
}

export const isRunning = ({ state }: ContainerRun): boolean => 'running' in state
export const exitCodeOf = ({ state }: ContainerRun): number | undefined =>
  'terminated' in state ? state.terminated.exitCode : undefined

/** Containers at once, then the sidecars, the last one first. */
export const stopOrder = (runs: readonly ContainerRun[]): (readonly ContainerRun[])[] => [
  runs.filter(({ kind }) => kind !== 'sidecar'),
  ...runs
    .filter(({ kind }) => kind === 'sidecar')
    .toReversed()
    .map((run) => [run]),
]

export const runtimeId = (id: string): string => `containerd://${id}`

/** 64 hexadecimal digits. */
export function newContainerId(random: Random): string {
  let id = ''
  while (id.length < 64)
    id += Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  return id
}

const imageIdOf = (image: string): string =>
  `sha256:${createHash('sha256').update(image).digest('hex')}`

export function containerStatus(
  run: ContainerRun,
  { image = '', volumeMounts }: SimContainer,
  allocated: ResourceList | undefined,
): SimContainerStatus {
  const wasStarted = run.id !== ''
  return {
    ...(wasStarted && allocated && { allocatedResources: allocated }),
    ...(wasStarted && { containerID: runtimeId(run.id) }),
    image,
    imageID: wasStarted ? imageIdOf(image) : '',
    lastState: run.lastEnd === undefined ? {} : { terminated: run.lastEnd },
    name: run.name,
    ready: run.isReady,
    ...(wasStarted && { resources: run.actual ?? {} }),
    restartCount: run.restartCount,
    started: run.isStarted,
    state: run.state,
    ...(volumeMounts && {
      volumeMounts: volumeMounts.map(({ name, mountPath, readOnly }) => ({
        name,
        mountPath,
        ...(readOnly && { readOnly, recursiveReadOnly: 'Disabled' }),
      })),
    }),
  }
}
