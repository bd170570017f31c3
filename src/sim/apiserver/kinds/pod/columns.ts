/** What `kubectl get pods` shows. */
import type { Column } from '../../resource-type.ts'
import { printAgeOf } from '../../table/age.ts'
import { age, column } from '../columns.ts'
import { isSidecar } from './resources.ts'
import { asPod, type ContainerState, type ContainerStatus, type Pod } from './types.ts'

const none = '<none>'

export const podColumns: readonly Column[] = [
  column(['Ready', 'How many of its containers are ready.'], (object) => {
    const { ready, all } = summarize(asPod(object))
    return `${ready}/${all}`
  }),
  column(['Status', 'What its containers are doing.'], (object) => summarize(asPod(object)).says),
  column(['Restarts', 'How often its containers were restarted, and when last.'], (object, at) => {
    const { restarts, last } = summarize(asPod(object))
    return restarts > 0 && last !== undefined
      ? `${restarts} (${printAgeOf(last, at.now)} ago)`
      : String(restarts)
  }),
  age,
  column(['IP', 'Its first address.'], (object) => asPod(object).status?.podIPs?.[0]?.ip || none, {
    wide: true,
  }),
  column(['Node', 'Where it runs.'], (object) => asPod(object).spec.nodeName || none, {
    wide: true,
  }),
  column(
    ['Nominated Node', 'Where others make room for it.'],
    (object) => asPod(object).status?.nominatedNodeName || none,
    { wide: true },
  ),
  column(['Readiness Gates', 'How many of its gates are open.'], (object) => gates(asPod(object)), {
    wide: true,
  }),
]

function gates({ spec, status }: Pod): string {
  const { readinessGates = [] } = spec
  if (readinessGates.length === 0) return none
  const open = readinessGates.filter(
    ({ conditionType }) =>
      status?.conditions?.find(({ type }) => type === conditionType)?.status === 'True',
  )
  return `${open.length}/${readinessGates.length}`
}

type Summary = {
  readonly ready: number
  readonly all: number
  readonly says: string
  readonly restarts: number
  /** When the last restart was. */
  readonly last: string | undefined
}

function summarize(pod: Pod): Summary {
  const { initContainers = [], containers } = pod.spec
  const all = containers.length + initContainers.filter(isSidecar).length
  const start = summarizeStart(pod)
  const isInitialized = holds(pod, 'Initialized')
  const run = start.says === undefined || isInitialized ? summarizeRun(pod) : undefined
  const sidecars = (pod.status?.initContainerStatuses ?? []).filter(({ name }) =>
    initContainers.some((one) => one.name === name && isSidecar(one)),
  )
  const counted = run ? [...sidecars, ...(pod.status?.containerStatuses ?? [])] : start.seen
  return {
    ready: start.ready + (run?.ready ?? 0),
    all,
    says: ending(pod) ?? run?.says ?? start.says ?? atFirst(pod),
    restarts: counted.reduce((sum, { restartCount }) => sum + restartCount, 0),
    last: counted
      .flatMap(({ lastState }) => lastState?.terminated?.finishedAt ?? [])
      .toSorted()
      .at(-1),
  }
}

function atFirst({ status = {} }: Pod): string {
  const isGated = status.conditions?.some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  )
  return isGated ? 'SchedulingGated' : status.reason || status.phase || ''
}

function ending({ metadata, status = {} }: Pod): string | undefined {
  if (metadata.deletionTimestamp === undefined) return undefined
  if (status.reason === 'NodeLost') return 'Unknown'
  return status.phase === 'Succeeded' || status.phase === 'Failed' ? undefined : 'Terminating'
}

const holds = ({ status }: Pod, condition: string): boolean =>
  status?.conditions?.find(({ type }) => type === condition)?.status === 'True'

/** Up to the first init container that is not over; undefined `says` if there is none. */
function summarizeStart({ spec, status = {} }: Pod): {
  readonly ready: number
  readonly says: string | undefined
  readonly seen: readonly ContainerStatus[]
} {
  const { initContainers = [] } = spec
  const seen: ContainerStatus[] = []
  let ready = 0
  for (const [index, one] of (status.initContainerStatuses ?? []).entries()) {
    seen.push(one)
    const { terminated, waiting } = one.state ?? {}
    if (terminated?.exitCode === 0) continue
    const container = initContainers.find(({ name }) => name === one.name)
    if (container !== undefined && isSidecar(container) && one.started === true) {
      if (one.ready === true) ready += 1
      continue
    }
    if (terminated) return { ready, seen, says: `Init:${endOf(terminated)}` }
    const isWaiting = waiting?.reason && waiting.reason !== 'PodInitializing'
    const says = isWaiting ? waiting.reason : `${index}/${initContainers.length}`
    return { ready, seen, says: `Init:${says}` }
  }
  return { ready, seen, says: undefined }
}

const endOf = ({ reason, signal, exitCode }: NonNullable<ContainerState['terminated']>): string =>
  reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode ?? 0}`)

/** The first container that waits or has ended has the word. */
function summarizeRun(pod: Pod): { readonly ready: number; readonly says: string | undefined } {
  let says: string | undefined
  let failed: string | undefined
  let ready = 0
  for (const { state = {}, ready: isReady } of (pod.status?.containerStatuses ?? []).toReversed()) {
    if (state.waiting?.reason) says = state.waiting.reason
    else if (state.terminated) {
      says = endOf(state.terminated)
      if (state.terminated.exitCode !== 0) failed = says
    } else if (isReady === true && state.running) ready += 1
  }
  if (says !== 'Completed') return { ready, says }
  if (ready > 0 && holds(pod, 'Ready')) return { ready, says: 'Running' }
  return { ready, says: failed ?? (ready > 0 ? 'NotReady' : says) }
}
