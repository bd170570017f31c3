/** A decision as the PodAllocation that is published, and whether that is worth a write. */
import { fieldManagers } from '../../apis/names.ts'
import { apiVersionOf, type KubeObject } from '../../apis/object.ts'
import { noteBounds } from '../../apis/pod-allocation-spec.ts'
import {
  millicoresIn,
  type PodAllocation,
  podAllocations,
  type PodAllocationSpec,
} from '../../apis/pod-allocation.ts'
import { pods } from '../../apis/pod.ts'
import type { Decision } from '../../core/bidding/plan.ts'
import { formatMillicores } from '../../core/quantity.ts'
import type { Millicores } from '../../core/units.ts'
import type { Patch } from '../../ports/kube.ts'
import { ownerReference } from '../../runtime/owner-reference.ts'

export function allocationOf(
  { decision, urgency }: { decision: Decision; urgency: PodAllocationSpec['urgency'] },
  nodeName: string,
): PodAllocation {
  const { pod } = decision
  const { name, namespace, uid } = pod
  const isLimited = pod.containers.every(({ limit }) => limit !== undefined)
  const spec: PodAllocationSpec = {
    podName: name,
    podUID: uid,
    nodeName,
    containers: decision.containers.map(({ name, request, limit }) => ({
      name,
      desiredCPURequest: formatMillicores(request),
      ...(limit !== undefined && { desiredCPULimit: formatMillicores(limit) }),
    })),
    desiredCPURequest: formatMillicores(decision.request),
    ...(isLimited && { desiredCPULimit: formatMillicores(decision.limit) }),
    urgency,
    decision: wordsOf(decision),
  }
  return allocationWith(spec, namespace)
}

const wordsOf = (decision: Decision): NonNullable<PodAllocationSpec['decision']> => {
  const { mode, need, entitled, given, price, reason, notes } = decision
  return {
    mode,
    need: formatMillicores(need),
    entitled: formatMillicores(entitled),
    gets: formatMillicores(given),
    reason,
    ...notesIn(notes),
    ...(price !== null && { price }),
  }
}

/** As many as the schema takes, and as long. */
const notesIn = (notes: readonly string[]): { readonly notes?: string[] } => {
  const { most, maxLength } = noteBounds
  const told = new Set(notes.map((note) => note.slice(0, maxLength)))
  return told.size === 0 ? {} : { notes: [...told].slice(0, most) }
}

/** The same amounts for the same reason, with other notes; undefined where it has these. */
export function withNotes(
  spec: PodAllocationSpec,
  { notes }: Pick<Decision, 'notes'>,
): PodAllocationSpec | undefined {
  const { notes: before = [], ...rest } = spec.decision ?? {}
  const now = notesIn(notes)
  if (before.join('\n') === (now.notes ?? []).join('\n')) return undefined
  return { ...spec, decision: { ...rest, ...now } }
}

/** The same amounts, with what is true of the market by now; undefined where little has changed. */
export function withDecision(
  spec: PodAllocationSpec,
  decision: Decision,
): PodAllocationSpec | undefined {
  const { mode, need, gets } = spec.decision ?? {}
  const isSame =
    mode === decision.mode && isNear(need, decision.need) && isNear(gets, decision.given)
  return isSame ? undefined : { ...spec, decision: wordsOf(decision) }
}

const NEAR_RATIO = 0.25

function isNear(before: string | number | undefined, now: Millicores): boolean {
  if (before === undefined) return false
  const was = millicoresIn(before)
  return Math.abs(now - was) <= NEAR_RATIO * Math.max(was, now)
}

export function allocationWith(spec: PodAllocationSpec, namespace: string): PodAllocation {
  const { podName: name, podUID: uid = '' } = spec
  const pod = { metadata: { name, uid } }
  return {
    apiVersion: apiVersionOf(podAllocations),
    kind: podAllocations.kind,
    metadata: { name, namespace, ownerReferences: [ownerReference<KubeObject>(pods, pod)] },
    spec,
  }
}

export const applyOf = (allocation: PodAllocation): Patch => ({
  type: 'apply',
  body: allocation,
  fieldManager: fieldManagers.agent,
  force: true, // a person who wants to own it says so by mbcas.io/override
})

export type ToldAmounts = {
  /** By container. */
  readonly limits: ReadonlyMap<string, Millicores>
  readonly limit: Millicores | undefined
  readonly request: Millicores | undefined
}

export function amountsIn({
  containers = [],
  desiredCPULimit,
  desiredCPURequest,
}: PodAllocationSpec): ToldAmounts {
  const amount = (quantity: string | number | undefined): Millicores | undefined =>
    quantity === undefined ? undefined : millicoresIn(quantity)
  const limits = containers.flatMap(({ name, desiredCPULimit }) => {
    const limit = amount(desiredCPULimit)
    return limit === undefined ? [] : [[name, limit] as const]
  })
  return {
    limits: new Map(limits),
    limit: amount(desiredCPULimit),
    request: amount(desiredCPURequest),
  }
}

type Amounts = Pick<PodAllocationSpec, 'podUID' | 'containers'>

/** The same pod, containers and amounts, however they are written. */
export function isSameSpec(a: Amounts, { podUID, containers = [] }: Amounts): boolean {
  const amount = (quantity: string | number | undefined): Millicores | undefined =>
    quantity === undefined ? undefined : millicoresIn(quantity)
  const wanted = containers.map(({ name, desiredCPURequest, desiredCPULimit }) => ({
    name,
    request: amount(desiredCPURequest),
    limit: amount(desiredCPULimit),
  }))
  return a.podUID === podUID && !haveOther(a, wanted)
}

/** Another pod, other containers, or another amount. */
export const isOtherSpec = (before: PodAllocationSpec, { pod, containers }: Decision): boolean =>
  before.podUID !== pod.uid || haveOther(before, containers)

type Wanted = {
  readonly name: string
  readonly request: Millicores | undefined
  readonly limit: Millicores | undefined
}

function haveOther({ containers: old = [] }: Amounts, containers: readonly Wanted[]): boolean {
  if (old.length !== containers.length) return true
  return containers.some(({ name, request, limit }) => {
    const same = old.find((container) => container.name === name)
    return (
      same === undefined ||
      isOther(same.desiredCPURequest, request) ||
      isOther(same.desiredCPULimit, limit)
    )
  })
}

function isOther(before: string | number | undefined, now: number | undefined): boolean {
  if (before === undefined || now === undefined) return before !== now
  return millicoresIn(before) !== now
}
