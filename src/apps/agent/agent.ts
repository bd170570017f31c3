/** The agent of one node: it measures, clears the market and publishes what should be. */
import type { Pod } from '../../apis/pod.ts'
import { type NodePlan, planNode } from '../../core/bidding/plan.ts'
import type { NodePod } from '../../core/bidding/pod.ts'
import type { Millicores } from '../../core/units.ts'
import type { CgroupReader } from '../../ports/cgroup.ts'
import type { Kube } from '../../ports/kube.ts'
import type { Log } from '../../ports/log.ts'
import type { AgentMetrics } from './metrics.ts'
import { createNews } from './news.ts'
import { factsOf } from './pod-facts.ts'
import { createPublisher, type Outcome } from './publisher.ts'
import { createSampler } from './sampler.ts'
import { readWishes } from './wishes.ts'

export type AgentNeeds = {
  readonly nodeName: string
  readonly kube: Kube
  readonly cgroups: CgroupReader
  readonly log: Log
  readonly metrics: AgentMetrics
  /** The pods of this node, in any order. */
  readonly pods: () => readonly Pod[]
  readonly node: () => NodeCpu
}

export type NodeCpu = { readonly allocatable: Millicores; readonly cpus: number }

export type Agent = {
  /** Reads the counters of every container once. */
  readonly sample: () => void
  /** Read, decide, act. */
  readonly clear: (signal: AbortSignal) => Promise<void>
}

export function createAgent(needs: AgentNeeds): Agent {
  const { nodeName, cgroups, log, metrics } = needs
  const sampler = createSampler(cgroups, log)
  const publisher = createPublisher(needs)
  const problemNews = createNews()
  const reasonNews = createNews()
  let wasBlind = false

  const sample = (): void => {
    const counts = sampler.sample(needs.pods(), needs.node().cpus)
    metrics.sampled(counts)
    const { containers, missing } = counts
    const isBlind = containers > 0 && missing === containers
    if (isBlind && !wasBlind) {
      const remedy = "give the kubelet's cgroupRoot with --cgroup-root"
      log('warn', 'no cgroup found for any container', { containers, where: cgroups.where, remedy })
    }
    wasBlind = isBlind
  }

  const read = (): NodePod[] =>
    needs.pods().map((pod) => {
      const { wishes, problems } = readWishes(pod)
      const facts = factsOf(pod, wishes, sampler.trackedOf)
      if (problemNews.isNew(facts.uid, problems.join())) {
        log('warn', 'annotations ignored', { pod: nameOf(facts), problems })
      }
      return facts
    })

  const tellUnmanaged = ({ unmanaged, decisions }: NodePlan): void => {
    for (const { pod, reason } of unmanaged) {
      if (reasonNews.isNew(pod.uid, reason)) {
        log('info', 'pod left alone', { pod: nameOf(pod), reason })
      }
    }
    for (const { pod } of decisions) reasonNews.isNew(pod.uid, '')
  }

  const clear = async (signal: AbortSignal): Promise<void> => {
    const pods = read()
    const plan = planNode(needs.node().allocatable, pods)
    metrics.cleared(plan)
    tellUnmanaged(plan)
    const uids = new Set(pods.map(({ uid }) => uid))
    for (const memory of [publisher, problemNews, reasonNews]) memory.keepOnly(uids)
    const outcomes = await Promise.all(
      plan.decisions.map(async (decision) => publisher.publish(decision, signal)),
    )
    outcomes.forEach(metrics.published)
    const count = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length
    log('info', 'market cleared', {
      node: nodeName,
      ...summaryOf(plan),
      written: count('written'),
      failed: count('failed'),
    })
  }

  return { sample, clear }
}

const summaryOf = ({ allocatable, sold, clearing, decisions, unmanaged }: NodePlan) => ({
  mode: clearing.mode,
  price: clearing.price,
  allocatable,
  sold,
  managed: decisions.length,
  unmanaged: unmanaged.length,
})

const nameOf = ({ namespace, name }: NodePod): string => `${namespace}/${name}`
