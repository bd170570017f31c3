/** One pod a node for every DaemonSet; a changed template replaces them step by step. */
import type { Agenda } from '../agenda.ts'
import type { Api } from '../apiserver/api.ts'
import { Refusal } from '../apiserver/refusal.ts'
import type { SimNode } from '../nodes/node.ts'
import type { RecordEvent } from '../record-event.ts'
import { daemonSets, nodes, pods } from '../resources.ts'
import { rewrite } from '../rewrite.ts'
import { createBackoff } from './backoff.ts'
import type { Children } from './children.ts'
import { claim } from './claim.ts'
import {
  belongsOn,
  type DaemonNode,
  daemonPod,
  type DaemonSet,
  nodeOf,
  revisionLabel,
} from './daemon-pods.ts'
import { daemonSetStatus } from './daemon-status.ts'
import { nextStep } from './daemon-update.ts'
import { byAge } from './deployment-object.ts'
import { follow } from './follow.ts'
import { createPod, removePod } from './own-pods.ts'
import { countOf } from './rollout.ts'
import { templateHash } from './template-hash.ts'
import { availableIn, isEnded, manager, type PodObject } from './workload.ts'

const isGoing = ({ metadata }: PodObject): boolean => metadata.deletionTimestamp !== undefined

export function runDaemonSets(at: {
  readonly api: Api
  readonly agenda: Agenda
  readonly record: RecordEvent
  readonly podsOf: Children<PodObject>
}): void {
  const { api, agenda, record, podsOf } = at
  const backoff = createBackoff()
  const failures = createBackoff()
  const earliest = new Map<string, number>()
  let writes = 0

  const look = (set: DaemonSet): number | undefined => {
    const { uid, deletionTimestamp } = set.metadata
    if (deletionTimestamp !== undefined) return undefined
    const hash = templateHash(set.spec?.template ?? { spec: {} })
    const seen = onNodes(set, claim(api, { of: pods, owner: set, children: podsOf }))
    try {
      const before = writes
      const wait = keepOneEach(set, seen, hash)
      // What was just written is not in what was seen.
      if (writes === before) update(set, seen, hash)
      backoff.forget(uid)
      return soonest([wait, ...waitsOf(set, seen)])
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return backoff.next(uid)
    } finally {
      tell(set, seen, hash)
    }
  }

  const onNodes = (set: DaemonSet, own: readonly PodObject[]): readonly DaemonNode[] => {
    const living = own.filter((pod) => !(isEnded(pod) && isGoing(pod)))
    const byNode = new Map<string, PodObject[]>()
    for (const pod of living.toSorted(byAge)) {
      const known = byNode.get(nodeOf(pod))
      if (known === undefined) byNode.set(nodeOf(pod), [pod])
      else known.push(pod)
    }
    const seeOn = (node: SimNode): DaemonNode => {
      const { name } = node.metadata
      return { name, ...belongsOn(set, node), pods: byNode.get(name) ?? [] }
    }
    return (api.list(nodes) as readonly SimNode[]).map(seeOn)
  }

  /** Returns when a failed pod may be replaced, if one waits for that. */
  const keepOneEach = (set: DaemonSet, seen: readonly DaemonNode[], hash: string) => {
    const waits: (number | undefined)[] = []
    for (const node of seen) {
      if (node.shouldRun && node.pods.length === 0) create(set, node.name, hash)
      else if (node.mayStay) waits.push(...clean(set, node))
      else for (const pod of node.pods) if (!isGoing(pod)) remove(set, pod)
    }
    return soonest(waits)
  }

  const clean = (set: DaemonSet, node: DaemonNode): (number | undefined)[] => {
    const staying = node.pods.filter((pod) => !isGoing(pod))
    const running = staying.filter((pod) => !isEnded(pod))
    const updated = (pod: PodObject) => pod.metadata.labels?.[revisionLabel]
    const excess = running.filter((pod, i) => {
      const twin = running.findIndex((other) => updated(other) === updated(pod))
      return surgeOf(set) > 0 ? twin !== i : i > 0
    })
    for (const pod of excess) remove(set, pod)
    return staying.filter(isEnded).map((pod) => removeEnded(set, node.name, pod))
  }

  const removeEnded = (set: DaemonSet, node: string, pod: PodObject): number | undefined => {
    const { namespace, name } = pod.metadata
    if (pod.status?.phase === 'Succeeded') {
      const message = `Found succeeded daemon pod ${namespace}/${name} on node ${node}, will try to delete it`
      record({ about: set, reason: 'SucceededDaemonPod', message })
    } else {
      const key = `${set.metadata.uid}/${node}`
      const wait = (earliest.get(key) ?? 0) - agenda.now()
      if (wait > 0) return wait
      earliest.set(key, agenda.now() + failures.next(key))
      const message = `Found failed daemon pod ${namespace}/${name} on node ${node}, will try to kill it`
      record({ about: set, type: 'Warning', reason: 'FailedDaemonPod', message })
    }
    remove(set, pod)
    return undefined
  }

  const update = (set: DaemonSet, seen: readonly DaemonNode[], hash: string) => {
    const { type, rollingUpdate = {} } = set.spec?.updateStrategy ?? {}
    if (type === 'OnDelete') return
    const desired = seen.filter(({ shouldRun }) => shouldRun).length
    const { maxUnavailable = 1 } = rollingUpdate
    const { minReadySeconds } = set.spec ?? {}
    const isNew = (pod: PodObject) => pod.metadata.labels?.[revisionLabel] === hash
    const busy = seen.filter((node) => node.pods.length > 0)
    const step = nextStep(
      busy.map(({ name, shouldRun, pods: here }) => {
        const staying = here.filter((pod) => !isGoing(pod))
        return {
          node: name,
          shouldRun,
          outdated: staying.find((pod) => !isNew(pod)),
          updated: staying.find(isNew),
        }
      }),
      {
        maxSurge: surgeOf(set, desired),
        maxUnavailable: countOf(maxUnavailable, desired, Math.ceil),
        isAvailable: (pod) => availableIn(pod, { minReadySeconds, now: agenda.wall() }) === 0,
      },
    )
    for (const pod of step.remove) remove(set, pod)
    for (const node of step.create) create(set, node, hash)
  }

  const create = (set: DaemonSet, node: string, hash: string) => {
    writes += 1
    createPod(at, { owner: set, pod: daemonPod(set, { node, hash }) })
  }

  const remove = (set: DaemonSet, pod: PodObject) => {
    writes += 1
    removePod(at, { owner: set, pod })
  }

  const tell = (set: DaemonSet, seen: readonly DaemonNode[], hash: string) => {
    const by = { manager, subresource: 'status' } as const
    const status = daemonSetStatus(set, seen, { hash, now: agenda.wall() })
    rewrite(api, { of: daemonSets, object: set, by }, (current) => ({ ...current, status }))
  }

  const waitsOf = ({ spec }: DaemonSet, seen: readonly DaemonNode[]) =>
    spec?.minReadySeconds
      ? seen.flatMap(({ pods: here }) =>
          here.map((pod) =>
            availableIn(pod, { minReadySeconds: spec.minReadySeconds, now: agenda.wall() }),
          ),
        )
      : []

  const { wakeAll } = follow({
    api,
    agenda,
    of: daemonSets,
    look,
    children: podsOf,
    forget: backoff.forget,
  })
  api.subscribe(nodes, ({ type, object, old }) => {
    const isSame =
      type === 'MODIFIED' &&
      old?.spec === object.spec &&
      old?.metadata.labels === object.metadata.labels
    if (!isSame) wakeAll()
  })
}

const surgeOf = ({ spec }: DaemonSet, desired = 100): number =>
  countOf(spec?.updateStrategy?.rollingUpdate?.maxSurge ?? 0, desired, Math.ceil)

function soonest(waits: readonly (number | undefined)[]): number | undefined {
  const ahead = waits.filter((wait) => wait !== undefined && wait > 0)
  return ahead.length === 0 ? undefined : Math.min(...ahead.map(Number))
}
