/** A simulated kubelet: registers its node, keeps it alive, and runs the pods that are bound to it. */
import type { Random } from '../../core/random.ts'
import type { Agenda } from '../agenda.ts'
import type { Api } from '../apiserver/api.ts'
import { placeOf } from '../apiserver/object.ts'
import type { NodeKernel } from '../kernel/kernel.ts'
import { type Charge, chargeOf } from '../nodes/charge.ts'
import type { SimNode } from '../nodes/node.ts'
import type { PodDispatcher } from '../nodes/pod-dispatcher.ts'
import { isEnded, type SimPod } from '../nodes/pod.ts'
import { createRecorder, type RecordEvent } from '../record-event.ts'
import { nodes, pods } from '../resources.ts'
import { rewrite } from '../rewrite.ts'
import { timeOf } from '../timestamps.ts'
import { createAddresses } from './addresses.ts'
import { admit, fit, type Room } from './admission.ts'
import type { Allocation } from './allocation.ts'
import { createHeartbeat } from './heartbeat.ts'
import type { LoadOf, NodeContext } from './node-context.ts'
import type { NodeSettings } from './node-settings.ts'
import { rejectedStatus } from './pod-status.ts'
import { createPodWorker, type PodWorker } from './pod-worker.ts'
import { createResizer } from './resize.ts'

export type Kubelet = {
  /** Registers the node and takes up its pods; after `stop`, comes back. */
  readonly start: () => void
  /** The node is lost: its containers are gone, nothing acts, no signs of life. */
  readonly stop: () => void
  /** A device plugin announces so many of a resource, or takes them back with 0. */
  readonly setDevices: (resource: string, count: number) => void
}

type KubeletOptions = {
  readonly api: Api
  readonly agenda: Agenda
  readonly node: NodeSettings
  readonly kernel: NodeKernel
  readonly random: Random
  readonly dispatcher: PodDispatcher
  readonly loadOf: LoadOf
  /** Where events go, if not to the API server as the kubelet's. */
  readonly record?: RecordEvent
}

export function createKubelet(options: KubeletOptions): Kubelet {
  const { api, agenda, node: settings, kernel, random, dispatcher, loadOf } = options
  const { name, leaseSeconds = 40 } = settings
  const record = options.record ?? createRecorder({ api, agenda, component: 'kubelet', host: name })
  const heartbeat = createHeartbeat({ api, agenda, settings })
  const addresses = createAddresses(settings.podCidr)
  const workers = new Map<string, PodWorker>()
  const charges = new WeakMap<PodWorker, Charged>()
  /** What outlives the loss of the node, as the real kubelet's checkpoint on disk does. */
  const checkpoints = new Map<string, Allocation>()
  const devices = new Map(Object.entries(settings.extended ?? {}))
  let crossOut = () => {}
  let stopRouting = () => {}
  let isReady = false
  /** The last that was heard of it, should somebody delete it. */
  let known: SimNode | undefined

  const findNode = () => (known = (api.find(nodes, { name }) as SimNode | undefined) ?? known)
  const roomFor = (uid: string): Room => ({
    node: findNode(),
    others: [...workers.values()]
      .filter((worker) => worker.isActive() && worker.pod().metadata.uid !== uid)
      .map(chargeFor),
  })
  const chargeFor = (worker: PodWorker): Charge => {
    const { allocated, actuated, runs } = worker.view
    const earlier = charges.get(worker)
    if (earlier?.allocated === allocated && earlier.actuated === actuated) return earlier.charge
    const containerStatuses = runs.map(({ name, actual: resources = {}, restartCount }) => ({
      name,
      restartCount,
      resources,
    }))
    const charge = chargeOf({ spec: allocated.spec, status: { containerStatuses } })
    charges.set(worker, { allocated, actuated, charge })
    return charge
  }

  const resizer = createResizer({
    agenda,
    random,
    record,
    fits: (worker) => fit(worker.pod().spec, roomFor(worker.pod().metadata.uid)),
    hasStaticCpus: settings.cpuManager === 'static',
  })
  const context: NodeContext = {
    api,
    agenda,
    kernel,
    random,
    record,
    loadOf,
    hostIP: settings.address,
    takeAddress: addresses.take,
    giveBack: addresses.giveBack,
    onEnded: resizer.retry,
  }

  const take = (pod: SimPod) => {
    const { uid } = pod.metadata
    const verdict = admit(pod.spec, roomFor(uid))
    if (!verdict.fits) {
      const { reason, message } = verdict
      record({ about: pod, type: 'Warning', reason, message })
      const by = { manager: 'kubelet', subresource: 'status' } as const
      rewrite(api, { of: pods, object: pod, by }, (current) => ({
        ...current,
        status: rejectedStatus(current, verdict, timeOf(agenda.wall())),
      }))
      return
    }
    const worker = createPodWorker(context, pod, checkpoints.get(uid))
    workers.set(uid, worker)
    worker.begin()
    resizer.retry()
  }

  const changed = (pod: SimPod) => {
    const { uid, deletionTimestamp, generation } = pod.metadata
    const worker = workers.get(uid)
    if (worker === undefined) {
      if (deletionTimestamp) removeNow(pod)
      else if (!isEnded(pod)) take(pod)
      return
    }
    const before = worker.pod().metadata.generation
    worker.changed(pod)
    if (generation !== before) resizer.look(worker)
  }
  /** Nothing of it is on the node. */
  const removeNow = (pod: SimPod) => {
    const { uid } = pod.metadata
    if (api.find(pods, placeOf(pod))?.metadata.uid !== uid) return
    api.remove(pods, placeOf(pod), { graceSeconds: 0, uid })
  }
  const removed = ({ metadata: { uid } }: SimPod) => {
    workers.get(uid)?.forget()
    workers.delete(uid)
    checkpoints.delete(uid)
    resizer.retry()
  }

  const beat = () => {
    heartbeat.beat()
    crossOut = agenda.at(agenda.now() + leaseSeconds * 250, beat)
  }
  const becomeReady = () => {
    isReady = true
    heartbeat.post({ isReady, devices })
    const about = findNode()
    const message = `Node ${name} status is now: NodeReady`
    if (about) record({ about, reason: 'NodeReady', message })
    beat()
  }

  return {
    start() {
      known = heartbeat.register()
      record({ about: known, reason: 'Starting', message: 'Starting kubelet.' })
      // From here on the beats of a thousand nodes lie apart.
      crossOut = agenda.at(agenda.now() + 100 + random() * 1000, becomeReady)
      stopRouting = dispatcher.route(name, { changed, removed })
      for (const pod of dispatcher.podsOf(name)) changed(pod)
    },
    stop() {
      isReady = false
      crossOut()
      stopRouting()
      resizer.forgetAll()
      for (const [uid, worker] of workers) {
        checkpoints.set(uid, worker.view.allocated)
        worker.forget()
      }
      workers.clear()
    },
    setDevices(resource, count) {
      devices.set(resource, count)
      if (isReady) heartbeat.post({ isReady, devices })
    },
  }
}

type Charged = {
  readonly allocated: Allocation
  readonly actuated: Allocation
  readonly charge: Charge
}
