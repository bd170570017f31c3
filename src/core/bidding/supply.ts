/**
 * What a node sells: what is allocatable without what those hold that take no part, and never more
 * than the CPUs can run that containers share. CPUs of somebody's own, and those that a strict
 * reservation keeps for the system, run nobody else. Where shares are strict by default, a reserve is
 * left, since a pod that comes finds no idle CPU in the limits of others.
 *
 *   allocatable  pool    held    reserve   sold
 *   4000m                100m    0         3900m
 *   4000m        3000m   100m    1000m     2900m
 *   4000m                100m    10 %      3500m
 */
import type { Millicores } from '../units.ts'
import type { NodePod } from './pod.ts'
import type { BiddingRules } from './rules.ts'
import { ownCpusOf, promisedTo } from './unmanaged.ts'
import { requestedBy } from './weights.ts'

export type NodeCapacity = {
  readonly allocatable: Millicores
  /** CPU is idle at this moment, so that nobody is held back by others. */
  readonly hasIdleCpu?: boolean | undefined
  /** Weights cannot be written: shares are enforced by the requests that the kubelet makes them of. */
  readonly isByRequests?: boolean | undefined
  /** What the CPUs can run that containers share; undefined: nobody knows of others. */
  readonly pool?: Millicores | undefined
}

export type Unmanaged = {
  readonly pod: NodePod
  readonly reason: string
  readonly held: Millicores
}

export type Supply = {
  /** Not sold where shares are strict; with what is allocatable and yet on CPUs that run no container. */
  readonly reserve: Millicores
  /** By those that take no part. */
  readonly held: Millicores
  readonly sold: Millicores
}

export type Question = {
  readonly capacity: NodeCapacity
  readonly managed: readonly NodePod[]
  readonly unmanaged: readonly Unmanaged[]
  readonly rules: BiddingRules
}

export function supplyOf({ capacity, managed, unmanaged, rules }: Question): Supply {
  const { allocatable } = capacity
  const usable = usableOf(capacity, unmanaged)
  const kept = rules.enforcement === 'strict' ? Math.ceil(usable * rules.reserveRatio) : 0
  const reserve = (kept + allocatable - usable) as Millicores
  const requested = managed.reduce((sum, pod) => sum + requestedBy(pod), 0)
  const held = heldBeside(allocatable - reserve - requested, unmanaged)
  return { reserve, held, sold: Math.max(0, allocatable - reserve - held) as Millicores }
}

/** Of allocatable, what CPUs can run: those that are shared, and those of the pods that have their own. */
function usableOf(
  { allocatable, pool = allocatable }: NodeCapacity,
  unmanaged: readonly Unmanaged[],
): number {
  const own = unmanaged.reduce((sum, { pod }) => sum + ownCpusOf(pod), 0)
  return Math.min(allocatable, pool + own)
}

/**
 * What those that take no part hold. What they use beyond their requests counts only up to what those
 * that take part did not request: who stays out must not take by use what others requested.
 */
function heldBeside(room: number, unmanaged: readonly Unmanaged[]): Millicores {
  const held = unmanaged.reduce((sum, { held }) => sum + held, 0)
  const promised = unmanaged.reduce((sum, { pod }) => sum + promisedTo(pod), 0)
  return Math.max(promised, Math.min(held, room)) as Millicores
}
