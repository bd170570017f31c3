/** `mbcas controller` as a process, and how long it takes until every pod has what is desired. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { systemClock } from '../../../src/adapters/system-clock.ts'
import { type PodAllocation, podAllocations } from '../../../src/apis/pod-allocation.ts'
import { type Pod, podKeep, pods, type ResourceRequirements } from '../../../src/apis/pod.ts'
import { seededRandom } from '../../../src/core/random.ts'
import { startInformer } from '../../../src/runtime/informer.ts'
import { startLogging } from '../../background.ts'
import { root } from '../../run.ts'
import { until } from '../../until.ts'
import { quantile } from '../statistics.ts'
import { eachOf } from './each-of.ts'
import type { Counts } from './server-counts.ts'
import { limits, type Stage } from './stage.ts'

export type Figures = {
  readonly pods: number
  /** From when it leads and knows the cluster, until the last resize is accepted. */
  readonly askedSeconds: number
  /** The same until the kubelets have told of the last, of half and of 95 % of them. */
  readonly seconds: number
  readonly p50Seconds: number
  readonly p95Seconds: number
  /** Meanwhile, and of its start. */
  readonly requests: Counts
  readonly cpuSeconds: number
  /** At most, in megabytes of 2^20 bytes. */
  readonly rss: number
}

/** All that is desired stands there before it starts: only its own time counts. */
export async function measureController(stage: Stage): Promise<Figures> {
  await eachOf(stage.pods.length, async (i) =>
    stage.kube.create<PodAllocation>(podAllocations, allocationOf(stage.pods[i] ?? '')),
  )
  const watching = new AbortController()
  const [askedAt, actuatedAt] = [new Map<string, number>(), new Map<string, number>()]
  const watched = followResizes(stage, { signal: watching.signal, askedAt, actuatedAt })
  await until('the pods', watched.hasSynced)
  const before = await stage.counts()
  const args = ['controller', '--kubeconfig', stage.kubeconfig, '--listen', '127.0.0.1:0']
  const controller = startLogging(join(root, 'bin', 'mbcas'), args)
  const said = () => controller.lines.slice(-20).map((line) => JSON.stringify(line))
  try {
    const isReady = () => controller.lines.some(({ msg }) => msg === 'controller ready')
    await until('the controller', isReady)
    const began = performance.now()
    const isDone = () => actuatedAt.size === stage.pods.length
    await until('all to be actuated', isDone).catch((cause: unknown) => {
      throw new Error(`${actuatedAt.size} pods are done; ${said().join('\n')}`, { cause })
    })
    const seconds = [...actuatedAt.values()]
      .map((at) => (at - began) / 1000)
      .toSorted((a, b) => a - b)
    const at = (ratio: number): number => quantile(seconds, ratio) ?? NaN
    return {
      pods: stage.pods.length,
      askedSeconds: (Math.max(...askedAt.values()) - began) / 1000,
      seconds: at(1),
      p50Seconds: at(0.5),
      p95Seconds: at(0.95),
      requests: difference(await stage.counts(), before),
      cpuSeconds: cpuSecondsOf(controller.pid),
      rss: peakRssOf(controller.pid),
    }
  } finally {
    await controller.stop()
    watching.abort()
    await watched.stopped
  }
}

const allocationOf = (name: string): PodAllocation => ({
  metadata: { namespace: 'default', name },
  spec: { podName: name, desiredCPULimit: limits.after, urgency: 'normal' },
})

type Moments = {
  readonly askedAt: Map<string, number>
  readonly actuatedAt: Map<string, number>
}

/** When each pod was first seen with what is desired, by name. */
function followResizes(
  { kube }: Stage,
  { signal, askedAt, actuatedAt }: Moments & { readonly signal: AbortSignal },
) {
  const note = (name: string, seen: Map<string, number>, has: ResourceRequirements | undefined) => {
    if (has?.limits?.['cpu'] === limits.after && !seen.has(name)) seen.set(name, performance.now())
  }
  const look = ({ metadata: { name = '' }, spec, status }: Pod): void => {
    note(name, askedAt, spec.containers[0]?.resources)
    note(name, actuatedAt, status?.containerStatuses?.[0]?.resources)
  }
  return startInformer({
    kube,
    resource: pods,
    keep: podKeep,
    clock: systemClock,
    random: seededRandom(1),
    log: () => undefined,
    signal,
    project: look, // nothing needs to be kept
  })
}

const difference = (after: Counts, before: Counts): Counts =>
  Object.fromEntries(
    Object.entries(after).map(([kind, count]) => [kind, count - (before[kind] ?? 0)]),
  )

/** Of user and system, by the kernel's ticks of 10 ms. */
function cpuSecondsOf(pid: number): number {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function peakRssOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(text)?.[1]) / 1024
}
