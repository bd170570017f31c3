/** Pods of a real node: what they run, and what the API and the kernel say of them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { millicoresIn, type PodAllocation, podAllocations } from '../../src/apis/pod-allocation.ts'
import { cpuIn, type Pod, pods, type ResizePolicy } from '../../src/apis/pod.ts'
import { isReason, type Kube } from '../../src/ports/kube.ts'
import type { ClusterNode } from '../kubernetes/cluster.ts'
import { busyboxImage } from '../kubernetes/images.ts'

export const burn = 'while :; do :; done'
export const idle = 'while :; do sleep 3600; done'

/** Idle until SIGUSR1, then a whole CPU until SIGUSR2. */
export const burnOnSignal = `
  trap 'while :; do :; done & busy=$!' USR1
  trap 'kill $busy' USR2
  while :; do sleep 3600 & wait $!; done`

export type ContainerWish = {
  readonly work: string
  readonly request: string
  /** None, if not told. */
  readonly limit?: string
  /** Of request and limit. */
  readonly memory?: string
}

export type PodWish = ContainerWish & {
  readonly name: string
  readonly namespace?: string
  readonly nodeName?: string
  readonly annotations?: Readonly<Record<string, string>>
  /** Beside `main`, by name. */
  readonly beside?: Readonly<Record<string, ContainerWish>>
  readonly inits?: Readonly<Record<string, ContainerWish>>
  readonly sidecars?: Readonly<Record<string, ContainerWish>>
  readonly resizePolicy?: readonly ResizePolicy[]
}

const containerOf = (name: string, { work, request, limit, memory }: ContainerWish) => ({
  name,
  image: busyboxImage,
  imagePullPolicy: 'Never',
  command: ['sh', '-c', work],
  resources: {
    requests: { cpu: request, ...(memory !== undefined && { memory }) },
    limits: { ...(limit !== undefined && { cpu: limit }), ...(memory !== undefined && { memory }) },
  },
})

const containersOf = (wishes: PodWish['beside'] = {}) =>
  Object.entries(wishes).map(([name, wish]) => containerOf(name, wish))

export function podOf({ name, annotations = {}, beside, inits, sidecars, ...wish }: PodWish) {
  const { namespace, nodeName, resizePolicy } = wish
  const main = { ...containerOf('main', wish), ...(resizePolicy && { resizePolicy }) }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, annotations, ...(namespace !== undefined && { namespace }) },
    spec: {
      terminationGracePeriodSeconds: 0,
      ...(nodeName !== undefined && { nodeName }),
      initContainers: [
        ...containersOf(inits),
        ...containersOf(sidecars).map((one) => Object.assign(one, { restartPolicy: 'Always' })),
      ],
      containers: [main, ...containersOf(beside)],
    },
  }
}

/** The groups of a pod that runs, by container; of one alone unless told. */
export function groupsOf({ cpuCgroupRoot }: ClusterNode, { metadata, status }: Pod, main = 'main') {
  const {
    qosClass = 'Burstable',
    containerStatuses = [],
    initContainerStatuses = [],
  } = status ?? {}
  const tier = qosClass === 'Guaranteed' ? '' : qosClass.toLowerCase()
  const pod = join(cpuCgroupRoot, 'kubepods', tier, `pod${metadata.uid}`)
  const containers = new Map(
    [...containerStatuses, ...initContainerStatuses].map(({ name, containerID = '' }) => [
      name,
      join(pod, containerID.split('//')[1] ?? ''),
    ]),
  )
  return { pod, container: containers.get(main) ?? '', containers }
}

/** Millicores that the kernel allows, on average and saved up. */
export type Allowed = { readonly quota: number; readonly burst: number }

/** On cgroup v1. */
export function allowedIn(group: string): Allowed {
  const millicores = (file: string) => Number(readFileSync(join(group, file), 'utf8')) / 100
  return { quota: millicores('cpu.cfs_quota_us'), burst: millicores('cpu.cfs_burst_us') }
}

/** On cgroup v1: periods in which it was throttled. */
export function throttledIn(group: string): number {
  const text = readFileSync(join(group, 'cpu.stat'), 'utf8')
  return Number(/^nr_throttled (\d+)/m.exec(text)?.[1])
}

export type RealPod = {
  readonly name: string
  readonly read: () => Promise<Pod>
  readonly allocation: () => Promise<PodAllocation | undefined>
  readonly kernel: (container?: string) => { readonly container: Allowed; readonly pod: Allowed }
  /** Whether it holds of `main` and of the pod as a whole. */
  readonly allows: (holds: (allowed: Allowed) => boolean) => boolean
  readonly throttled: () => number
  /** Of the pod as a whole, on cgroup v1. */
  readonly shares: () => number
  /** To the first process of `main`. */
  readonly signal: (name: NodeJS.Signals) => void
}

export async function openPod(
  node: ClusterNode,
  kube: Kube,
  place: { readonly namespace: string; readonly name: string },
): Promise<RealPod> {
  const read = async (): Promise<Pod> => kube.get(pods, place)
  const { pod, container, containers } = groupsOf(node, await read())
  return {
    name: place.name,
    read,
    allocation: async () => kube.get(podAllocations, place).catch(orNothing),
    kernel: (name = 'main') => ({
      container: allowedIn(containers.get(name) ?? ''),
      pod: allowedIn(pod),
    }),
    allows: (holds) => holds(allowedIn(container)) && holds(allowedIn(pod)),
    throttled: () => throttledIn(container),
    shares: () => Number(readFileSync(join(pod, 'cpu.shares'), 'utf8')),
    signal: (signal) => process.kill(firstProcessIn(container), signal),
  }
}

/** The one that is 1 within: after a turn of the kernel's numbers that need not be the least. */
function firstProcessIn(group: string): number {
  const all = readFileSync(join(group, 'cgroup.procs'), 'utf8').trim().split('\n')
  const isFirst = (pid: string): boolean =>
    /^NSpid:.*\s1$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  const found = all.find(isFirst)
  if (found === undefined) throw new Error(`no first process in ${group}: ${all.join(' ')}`)
  return Number(found)
}

function orNothing(error: unknown): PodAllocation | undefined {
  if (isReason(error, 'NotFound')) return undefined
  throw error
}

/** Millicores, by its spec. */
export const limitIn = ({ spec }: Pod): number => cpuIn(spec.containers[0]?.resources?.limits) ?? 0

/** Millicores that it allows; of none, nothing. */
export const limitTold = (allocation: PodAllocation | undefined): number | undefined =>
  allocation?.spec.desiredCPULimit === undefined
    ? undefined
    : millicoresIn(allocation.spec.desiredCPULimit)

/** Of all its containers. */
export const restartsOf = ({ status }: Pod): number =>
  [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].reduce(
    (all, { restartCount }) => all + restartCount,
    0,
  )

/** What the kubelet says of a resize that is not done. */
export function resizeOf({ status }: Pod): string | undefined {
  const condition = status?.conditions?.find(({ type }) => type.startsWith('PodResize'))
  return condition && [condition.type, condition.reason, condition.message].join(' ').trim()
}
