/**
 * Which agents do not answer, by their Leases. As client-go does with leaders, a Lease counts from when
 * we saw it change, by our own clock: the times in it are for people. A node that never had one is not
 * known to be silent: its PodAllocations may be written by people.
 */
import { agentLease, renewalsIn } from '../apis/agent-lease.ts'
import { short } from '../apis/keep.ts'
import { type Lease, leases } from '../apis/lease.ts'
import { systemNamespace } from '../apis/names.ts'
import type { Random } from '../core/random.ts'
import type { Millis } from '../core/units.ts'
import type { Clock } from '../ports/clock.ts'
import type { Kube } from '../ports/kube.ts'
import type { Log } from '../ports/log.ts'
import { type Informer, startInformer } from './informer.ts'
import type { Change } from './store.ts'

type LeasePorts = {
  readonly kube: Kube
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly signal: AbortSignal
}

export type AgentLeases = {
  /** Milliseconds since its agent was last heard of, if that is too long; else undefined. */
  readonly silentFor: (node: string) => number | undefined
  /** Also of nodes that are gone, whose Leases stay behind. */
  readonly silentNodes: () => readonly string[]
} & Pick<Informer<unknown, never>, 'hasSynced' | 'counts' | 'stopped'>

/** `onBack` is told of a node whose agent answers again. */
export function watchAgentLeases(ports: LeasePorts, onBack: (node: string) => void): AgentLeases {
  const heard = createHeard(ports.clock)
  const { hasSynced, counts, stopped } = startInformer({
    ...ports,
    resource: leases,
    selection: { namespace: systemNamespace },
    keep: { spec: { renewTime: short } },
    project: (lease: Lease) => [...renewalsIn([lease]).keys()],
    handlers: [(change) => heard.note(change).forEach(onBack)],
  })
  const { silentFor, silentNodes } = heard
  return { silentFor, silentNodes, hasSynced, counts, stopped }
}

export function createHeard(clock: Pick<Clock, 'now'>) {
  const at = new Map<string, Millis>()
  const silentFor = (node: string): number | undefined => {
    const last = at.get(node)
    const silence = last === undefined ? 0 : clock.now() - last
    return silence > agentLease.durationSeconds * 1000 ? silence : undefined
  }
  return {
    silentFor,
    silentNodes: () => [...at.keys()].filter((node) => silentFor(node) !== undefined),
    /** Of nodes; those that were silent until now. */
    note: (change: Change<readonly string[]>): readonly string[] => {
      if (change.type === 'deleted') {
        for (const node of change.before) at.delete(node)
        return change.before
      }
      const back = change.now.filter((node) => silentFor(node) !== undefined)
      for (const node of change.now) at.set(node, clock.now())
      return back
    },
  }
}
