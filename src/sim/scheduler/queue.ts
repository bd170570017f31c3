/** Pods that wait for a node: the highest priority first, then the oldest; with back-off after a failure. */
import type { Agenda } from '../agenda.ts'
import type { SimPod } from '../nodes/pod.ts'

const firstBackOff = 1000
const longestBackOff = 10_000
/** Even if nothing changes, a pod is tried again. */
const longestWait = 300_000

type Waiting = {
  pod: SimPod
  readonly order: number
  attempts: number
  failedAt: number
  isActive: boolean
}

type SchedulingQueue = {
  readonly put: (pod: SimPod) => void
  readonly drop: (uid: string) => void
  readonly pop: () => SimPod | undefined
  readonly fail: (uid: string) => void
  /** Something has changed that may help those that failed. */
  readonly wake: () => void
}

export function createQueue(agenda: Agenda, onReady: () => void): SchedulingQueue {
  const all = new Map<string, Waiting>()
  /** The next one last. */
  let active: Waiting[] = []
  let isSorted = true
  let order = 0
  let isAwake = false
  let crossOutWait: (() => void) | undefined

  const activate = (one: Waiting) => {
    one.isActive = true
    active.push(one)
    isSorted = false
    onReady()
  }
  const failed = () => [...all.values()].filter(({ isActive }) => !isActive)
  const backOffOf = ({ attempts }: Waiting) =>
    Math.min(longestBackOff, firstBackOff * 2 ** (attempts - 1))

  const wakeDue = () => {
    isAwake = false
    for (const one of failed()) {
      if (agenda.now() >= one.failedAt + backOffOf(one)) activate(one)
      else wake()
    }
  }
  const wake = () => {
    if (isAwake || all.size === active.length) return
    isAwake = true
    agenda.at(agenda.now() + firstBackOff, wakeDue)
  }
  const wakeAll = () => {
    crossOutWait = undefined
    for (const one of failed()) activate(one)
  }

  return {
    put(pod) {
      const { uid } = pod.metadata
      const known = all.get(uid)
      if (known === undefined) {
        order += 1
        const one = { pod, order, attempts: 0, failedAt: 0, isActive: false }
        all.set(uid, one)
        activate(one)
        return
      }
      const isNewSpec = known.pod.metadata.generation !== pod.metadata.generation
      known.pod = pod
      if (isNewSpec && !known.isActive) activate(known)
    },
    drop(uid) {
      const known = all.get(uid)
      if (known === undefined) return
      all.delete(uid)
      if (known.isActive) active = active.filter((one) => one !== known)
    },
    pop() {
      if (!isSorted) {
        active.sort(
          (a, b) => (a.pod.spec.priority ?? 0) - (b.pod.spec.priority ?? 0) || b.order - a.order,
        )
        isSorted = true
      }
      const one = active.pop()
      if (one) one.isActive = false
      return one?.pod
    },
    fail(uid) {
      const known = all.get(uid)
      if (known === undefined) return
      known.attempts += 1
      known.failedAt = agenda.now()
      crossOutWait ??= agenda.at(agenda.now() + longestWait, wakeAll)
    },
    wake,
  }
}
