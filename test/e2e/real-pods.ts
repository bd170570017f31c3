/** Pods of a real node: what they run, and what the API and the kernel say of them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import {
  millicoresIn,
  type PodAllocation,
  podAllocations,
  type PodAllocationSpec,
} from '../../src/apis/pod-allocation.ts'
import { cpuIn, type Pod, pods } from '../../src/apis/pod.ts'
import { isReason, type Kube } from '../../src/ports/kube.ts'
import type { ClusterNode } from '../kubernetes/cluster.ts'
import { busyboxImage } from '../kubernetes/images.ts'
import { answer } from '../kubernetes/processes.ts'

export const burn = 'while :; do :; done'
export const idle = 'while :; do sleep 3600; done'

/** About 90m, in turns of about 100 ms; SIGUSR1 makes it three times that. */
export async function triplingLoad(): Promise<string> {
  const count = (times: number) => `i=0; while [ $i -lt ${times} ]; do i=$((i + 1)); done`
  const times = await answer('/bin/busybox', ['sh', '-c', `${count(300_000)}; times`])
  const seconds = Number(/^0m(.*?)s/.exec(times)?.[1])
  const turn = Math.round((300_000 * 0.008) / seconds)
  return `
    work() { while :; do ${count(turn)}; usleep 92000; done; }
    trap 'work & work &' USR1
    work &
    while :; do wait; done`
}

export type PodWish = {
  readonly name: string
  readonly work: string
  readonly request: string
  readonly limit: string
  readonly annotations?: Readonly<Record<string, string>>
}

export const podOf = ({ name, work, request, limit, annotations = {} }: PodWish) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, annotations },
  spec: {
    terminationGracePeriodSeconds: 0,
    containers: [
      {
        name: 'main',
        image: busyboxImage,
        imagePullPolicy: 'Never',
        command: ['sh', '-c', work],
        resources: { requests: { cpu: request }, limits: { cpu: limit } },
      },
    ],
  },
})

/** The groups of a Burstable pod of one container that runs. */
export function groupsOf({ cpuCgroupRoot }: ClusterNode, { metadata, status }: Pod) {
  const pod = join(cpuCgroupRoot, 'kubepods', 'burstable', `pod${metadata.uid}`)
  const id = status?.containerStatuses?.[0]?.containerID?.split('//')[1] ?? ''
  return { pod, container: join(pod, id) }
}

/** Millicores that the kernel allows, on average and saved up. */
export type Allowed = { readonly quota: number; readonly burst: number }

/** On cgroup v1. */
export function allowedIn(group: string): Allowed {
  const millicores = (file: string) => Number(readFileSync(join(group, file), 'utf8')) / 100
  return { quota: millicores('cpu.cfs_quota_us'), burst: millicores('cpu.cfs_burst_us') }
}

export type RealPod = {
  readonly name: string
  readonly read: () => Promise<Pod>
  readonly allocation: () => Promise<PodAllocationSpec | undefined>
  readonly kernel: () => { readonly container: Allowed; readonly pod: Allowed }
  /** Whether it holds of its container and of the pod as a whole. */
  readonly allows: (holds: (allowed: Allowed) => boolean) => boolean
  /** To its first process. */
  readonly signal: (name: NodeJS.Signals) => void
}

export async function openPod(node: ClusterNode, kube: Kube, name: string): Promise<RealPod> {
  const place = { namespace: 'default', name }
  const read = async (): Promise<Pod> => kube.get(pods, place)
  const { pod, container } = groupsOf(node, await read())
  return {
    name,
    read,
    allocation: async () => {
      const found = await kube.get(podAllocations, place).catch(orNothing)
      return found?.spec
    },
    kernel: () => ({ container: allowedIn(container), pod: allowedIn(pod) }),
    allows: (holds) => holds(allowedIn(container)) && holds(allowedIn(pod)),
    signal: (signal) => {
      const [first] = readFileSync(join(container, 'cgroup.procs'), 'utf8').split('\n')
      process.kill(Number(first), signal)
    },
  }
}

function orNothing(error: unknown): PodAllocation | undefined {
  if (isReason(error, 'NotFound')) return undefined
  throw error
}

/** Millicores, by its spec. */
export const limitIn = ({ spec }: Pod): number => cpuIn(spec.containers[0]?.resources?.limits) ?? 0

/** Millicores that it allows; of none, nothing. */
export const limitTold = (allocation: PodAllocationSpec | undefined): number | undefined =>
  allocation?.desiredCPULimit === undefined ? undefined : millicoresIn(allocation.desiredCPULimit)

export const restartsOf = ({ status }: Pod): number | undefined =>
  status?.containerStatuses?.[0]?.restartCount

/** What the kubelet says of a resize that is not done. */
export function resizeOf({ status }: Pod): string | undefined {
  const condition = status?.conditions?.find(({ type }) => type.startsWith('PodResize'))
  return condition && [condition.type, condition.reason, condition.message].join(' ').trim()
}
