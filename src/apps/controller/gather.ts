/** Puts together what is known about one pod; reads caches only. */
import type { ControllerConfig } from '../../apis/controller-config.ts'
import type { PodAllocation } from '../../apis/pod-allocation.ts'
import {
  horizontalAutoscalerOf,
  type Owner,
  verticalAutoscalerOf,
} from '../../core/resize/autoscalers.ts'
import type { NodeRoom, PodCpu, ResizeQuestion } from '../../core/resize/types.ts'
import type { Millicores, Millis } from '../../core/units.ts'
import type { Caches } from './caches.ts'
import { desiredCpu } from './desired-cpu.ts'
import { boundsOf, roomsOf } from './namespace-bounds.ts'
import type { NodeLedger } from './node-ledger.ts'
import type { Circumstances, Refusals } from './refusals.ts'
import type { SeenPod } from './seen-pod.ts'
import { standingOf } from './standing.ts'

export type Knowledge = {
  readonly caches: Caches
  readonly config: ControllerConfig
  readonly ledger: NodeLedger
  readonly refusals: Refusals
  readonly sinceResize: (pod: SeenPod) => Millis | undefined
}

export type Asked = {
  /** Undefined: nobody desires anything; the pod may still have to be restored. */
  readonly allocation: PodAllocation | undefined
  readonly pod: SeenPod | undefined
  /** Of the pod, as far as autoscalers may name them. */
  readonly owners: readonly Owner[]
}

/** The kubelet's CPU manager resizes no Guaranteed pod under this policy, whole CPUs or not. */
const fixedBy = 'static'

export function gather(known: Knowledge, { allocation, pod, owners }: Asked): ResizeQuestion {
  const { rules } = known.config
  if (pod === undefined) return { ...unknownPod, rules }
  const { namespace } = pod
  const { caches, refusals, sinceResize } = known
  const { excluded, mode, managesGuaranteed } = standingOf(pod, caches.namespaces.get(namespace), {
    ...known.config,
    settings: caches.settings(),
  })
  const about = {
    pod: podOn(caches, pod),
    isOtherPod: allocation !== undefined && isOther(allocation, pod),
    excluded,
    mode,
    managesGuaranteed,
    ...autoscalersOf(caches, { pod, owners }),
    desired: allocation === undefined ? [] : desiredCpu(allocation, pod.cpu.spec),
    urgency: allocation?.spec.urgency ?? 'normal',
    bounds: boundsOf(caches.limitRanges.byIndex('namespace', namespace)),
    quotas: roomsOf(caches.quotas.byIndex('namespace', namespace)),
    node: nodeOf(known, pod),
    sinceResizeMillis: sinceResize(pod),
    rules,
  }
  const refused = refusals.recall(pod.uid, circumstancesOf(about))
  if (refused === undefined) return { ...about, infeasible: undefined }
  const { values: infeasible, reason, message } = refused
  return { ...about, infeasible, refusal: { reason, message } }
}

export const unknownPod: Omit<ResizeQuestion, 'rules'> = {
  pod: undefined,
  isOtherPod: false,
  excluded: undefined,
  mode: 'auto',
  managesGuaranteed: false,
  horizontalAutoscaler: undefined,
  verticalAutoscaler: undefined,
  desired: [],
  urgency: 'normal',
  bounds: [],
  quotas: [],
  node: undefined,
  sinceResizeMillis: undefined,
  infeasible: undefined,
}

/** Of a quota also what is used: that is what frees room in it. */
export const circumstancesOf =
  ({ node, bounds, quotas }: Pick<ResizeQuestion, 'node' | 'bounds' | 'quotas'>): Circumstances =>
  (reason) =>
    JSON.stringify([node?.allocatable, bounds, reason === 'ResourceQuota' ? quotas : []])

const isOther = ({ spec: { podUID, nodeName } }: PodAllocation, pod: SeenPod): boolean =>
  (podUID !== undefined && podUID !== pod.uid) ||
  (nodeName !== undefined && nodeName !== pod.nodeName)

function podOn({ markets }: Caches, { cpu, nodeName = '' }: SeenPod): PodCpu {
  const isFixed = markets.get(nodeName)?.cpuManagerPolicy === fixedBy
  return { ...cpu, hasExclusiveCpus: isFixed && cpu.qosClass === 'Guaranteed' }
}

/** What systemd knows no finer; also where it is not known which driver it is. */
const COARSE_STEP = 10 as Millicores
const FINE_STEP = 1 as Millicores

function nodeOf({ caches, ledger }: Knowledge, pod: SeenPod): NodeRoom | undefined {
  const { nodeName: name, overhead } = pod
  if (name === undefined) return undefined
  const allocatable = caches.nodes.get(name)?.allocatable
  if (allocatable === undefined) return undefined
  const isFine = caches.markets.get(name)?.cgroupDriver === 'cgroupfs'
  return {
    name,
    allocatable,
    others: (ledger.othersOf(pod) + overhead) as Millicores,
    limitStep: isFine ? FINE_STEP : COARSE_STEP,
  }
}

type Owned = Pick<Asked, 'owners'> & { readonly pod: SeenPod }

function autoscalersOf(caches: Caches, { pod, owners }: Owned) {
  const { namespace, cpu } = pod
  return {
    horizontalAutoscaler: horizontalAutoscalerOf({
      owners,
      autoscalers: caches.horizontal.byIndex('namespace', namespace),
    }),
    verticalAutoscaler: verticalAutoscalerOf({
      owners,
      containers: cpu.spec.map(({ name }) => name),
      autoscalers: caches.vertical.byIndex('namespace', namespace),
    }),
  }
}

/** Whether it must be known who owns the pods of a namespace. */
export const hasAutoscalers = ({ horizontal, vertical }: Caches, namespace: string): boolean =>
  horizontal.byIndex('namespace', namespace).length > 0 ||
  vertical.byIndex('namespace', namespace).length > 0
