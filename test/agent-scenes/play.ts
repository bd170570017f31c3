/** For tests: a scene that an agent is put into, and what can be seen of it in the end. */
import assert from 'node:assert/strict'

import type { MarketOfResource } from '../../src/apis/node-market.ts'
import type { PodAllocation } from '../../src/apis/pod-allocation.ts'
import { type Pod, pods as podType } from '../../src/apis/pod.ts'
import { keyOfPod } from '../../src/core/pod-name.ts'
import type { LatencySource } from '../../src/ports/latency.ts'
import {
  allocationsIn,
  createPods,
  marketIn,
  onPlatform,
  type PlatformOptions,
} from '../platform.ts'

export type Scene = Omit<PlatformOptions, 'latency'> & {
  readonly pods: readonly Pod[]
  /** For so long it is looked at, after ten in which all starts. */
  readonly seconds: number
  /** Of every pod; nobody is asked if not told. */
  readonly p99Millis?: number
}

export type Seen = {
  /** Of the first series whose line starts so; NaN if there is none. */
  readonly metric: (series: string) => number
  /** By how much it grew while it was looked at. */
  readonly growth: (series: string) => number
  /** Meanwhile, the fields of one message. */
  readonly logged: (message: string) => readonly Fields[]
  /** By pod. */
  readonly allocations: Readonly<Record<string, PodAllocation>>
  /** Of CPU, by the last clearing. */
  readonly market: MarketOfResource
  /** Meanwhile, to who tells latency. */
  readonly questions: number
  /** By pod, of its first container, in microseconds. */
  readonly bursts: Readonly<Record<string, number>>
}

type Fields = Readonly<Record<string, unknown>>

const START_SECONDS = 10

/** `config` is added to that of the scene. */
export async function play(scene: Scene, config: object = {}): Promise<Seen> {
  const { pods, seconds, ...options } = scene
  const teller = tellLatency(scene.p99Millis ?? 0)
  let seen: Seen | undefined
  await onPlatform(
    {
      ...options,
      config: { ...options.config, ...config },
      ...(scene.p99Millis !== undefined && { latency: teller }),
    },
    async ({ cluster, kube, metrics, lines, pass, stop }) => {
      await createPods(kube, pods)
      await pass(START_SECONDS)
      const before = { text: metrics.render(), lines: lines.length, questions: teller.questions }
      await pass(seconds)
      const after = metrics.render()
      const { items } = await kube.list(podType)
      const burstOf = ({ status }: Pod): number => {
        const id = status?.containerStatuses?.[0]?.containerID?.replace(/^.*:\/\//, '') ?? ''
        return cluster.kernels.get('node-0')?.settings(id)?.burstMicros ?? NaN
      }
      const bursts = items.map((pod) => [pod.metadata.name ?? '', burstOf(pod)] as const)
      const allocations = await allocationsIn(kube)
      const [market] = (await marketIn(kube)).status.resources
      assert.ok(market !== undefined)
      const { questions } = teller
      await stop()
      seen = {
        metric: (series) => valueIn(after, series),
        growth: (series) => valueIn(after, series) - valueIn(before.text, series),
        logged: (message) => lines.slice(before.lines).flatMap((line) => fieldsIn(line, message)),
        allocations,
        market,
        questions: questions - before.questions,
        bursts: Object.fromEntries(bursts),
      }
    },
  )
  assert.ok(seen !== undefined)
  return seen
}

function tellLatency(p99Millis: number): LatencySource & { questions: number } {
  const teller = {
    where: 'a scene',
    questions: 0,
    close: () => undefined,
    read: async (asked: Parameters<LatencySource['read']>[0]) => {
      teller.questions += 1
      const told = asked.map((pod) => [keyOfPod(pod), p99Millis] as const)
      return { p99Millis: new Map(told), unusable: 0 }
    },
  }
  return teller
}

function valueIn(text: string, series: string): number {
  const line = text.split('\n').find((line) => line.startsWith(series))
  return line === undefined ? NaN : Number(line.slice(line.lastIndexOf(' ') + 1))
}

function fieldsIn(line: string, message: string): Fields[] {
  const start = line.indexOf(`${message} {`)
  return start < 0 ? [] : [JSON.parse(line.slice(start + message.length + 1)) as Fields]
}
