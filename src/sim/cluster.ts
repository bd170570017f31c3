/**
 * The embedded cluster: an API server, controllers, a scheduler and simulated machines over one agenda.
 * Nothing moves until the agenda is run.
 */
import type { Fault } from '../apis/fault-file.ts'
import { parseLoad } from '../apis/load.ts'
import type { Recordings } from '../apis/recording.ts'
import type { NodeGroup } from '../apis/scenario-file.ts'
import { InvalidInput } from '../core/errors.ts'
import { seededRandom } from '../core/random.ts'
import type { Recording } from '../core/replay.ts'
import { examine, mutate } from './apiserver/admission/admit.ts'
import type { Api } from './apiserver/api.ts'
import { typesOf } from './apiserver/crd/types-of.ts'
import { builtInTypes } from './apiserver/kinds/built-in-types.ts'
import { Refusal } from './apiserver/refusal.ts'
import type { ResourceType } from './apiserver/resource-type.ts'
import type { Answer, Request } from './apiserver/serve/exchange.ts'
import { createLocalTransport, type LocalTransport } from './apiserver/serve/local.ts'
import { createApiServer } from './apiserver/server.ts'
import { director } from './apply-manifest.ts'
import { runControllers } from './controllers/run-controllers.ts'
import { createAgenda, type RunningAgenda, type Speed } from './create-agenda.ts'
import { logEvents } from './event-log.ts'
import { createFaults } from './faults/choose-fault.ts'
import { answerFaults, faultsPath, servedFault } from './faults/serve-faults.ts'
import { furnish } from './furnish.ts'
import type { NodeKernel } from './kernel/kernel.ts'
import { readLog } from './kubelet/logs.ts'
import { refuseStream } from './kubelet/refuse-streams.ts'
import { createMachines, type Machine } from './machines.ts'
import { createMetricsTypes } from './metrics/metrics-types.ts'
import { startNodeLifecycle } from './nodes/node-lifecycle.ts'
import { createPodDispatcher } from './nodes/pod-dispatcher.ts'
import type { Extender } from './scheduler/extender.ts'
import { createScheduler } from './scheduler/scheduler.ts'

export type ClusterOptions = {
  readonly nodes: readonly NodeGroup[]
  /** The same seed repeats a run exactly, as long as nobody comes from outside. */
  readonly seed: number
  readonly speed: Speed
  /** Simulated milliseconds since 1970 at the start. */
  readonly startsAt: number
  /** The certificate that clients trust, for `kube-root-ca.crt`. */
  readonly authority?: string
  readonly extenders?: readonly Extender[]
  /** Changes that a watch may come back to, for each resource; beyond them it gets 410. */
  readonly historyLimit?: number
  /** Gets the event log, a line at a time. */
  readonly logEvent?: (line: string) => void
}

export type SimCluster = {
  readonly agenda: RunningAgenda
  readonly api: Api
  readonly handle: (request: Request) => Answer
  /** For clients in this process; each has a name of its own. */
  readonly transport: (userAgent: string) => LocalTransport
  /** By node name: what its kernel says. */
  readonly kernels: ReadonlyMap<string, NodeKernel>
  /** Its kubelet falls silent, as when the machine is off. Once lost, it stays so until restored. */
  readonly loseNode: (name: string) => void
  readonly restoreNode: (name: string) => void
  /** Told of every node that is lost or restored from now on. */
  readonly onPower: (told: (node: string, isOn: boolean) => void) => void
  readonly plant: (faults: readonly Fault[]) => void
  /** What loads may play again, beside what they could before. */
  readonly addRecordings: (recordings: Recordings) => void
}

export function createCluster(options: ClusterOptions): SimCluster {
  const { nodes: groups, seed, speed, startsAt, authority = '' } = options
  const { extenders, historyLimit, logEvent } = options
  const agenda = createAgenda({ speed, startsAt })
  const recordings = new Map<string, Recording>()
  const faults = createFaults(seededRandom(seed + 1))
  const server = createApiServer({
    agenda,
    random: seededRandom(seed),
    types: builtInTypes().map(withLogs),
    typesOf,
    admit: mutate,
    examine,
    faults: (asked) => {
      const fault = asked.userAgent === director ? undefined : faults.choose(asked)
      return fault && servedFault(fault)
    },
    ...(historyLimit !== undefined && { historyLimit }),
  })
  const { api } = server
  const handle = (request: Request): Answer =>
    request.path.split('?', 1)[0] === faultsPath
      ? answerFaults(faults, request)
      : (refuseStream(request) ?? server.handle(request))

  if (logEvent !== undefined) logEvents({ api, agenda, write: logEvent })
  runControllers({ api, agenda, authority })
  const dispatcher = createPodDispatcher(api)
  startNodeLifecycle({ api, agenda, dispatcher })
  createScheduler({ api, agenda, random: seededRandom(seed + 2), ...(extenders && { extenders }) })
  furnish(api)
  const machines = createMachines({
    api,
    agenda,
    dispatcher,
    groups,
    seed,
    readLoad: (text) => parseLoad(text, recordings),
  })
  const kernels = new Map(Array.from(machines, ([name, { kernel }]) => [name, kernel]))
  server.addTypes(createMetricsTypes({ api, agenda, kernels }))
  startAll(machines)

  const lost = new Set<string>()
  const watchers: ((node: string, isOn: boolean) => void)[] = []
  const kubeletOf = (name: string) => {
    const found = machines.get(name)
    if (found !== undefined) return found.kubelet
    throw new InvalidInput(`expected a node of this cluster, got ${name}`)
  }
  return {
    agenda,
    api,
    handle,
    transport: (userAgent) => createLocalTransport({ server: { handle }, agenda, userAgent }),
    kernels,
    loseNode: (name) => {
      const kubelet = kubeletOf(name)
      if (lost.has(name)) return
      lost.add(name)
      kubelet.stop()
      for (const tell of watchers) tell(name, false)
    },
    restoreNode: (name) => {
      const kubelet = kubeletOf(name)
      if (!lost.delete(name)) return
      kubelet.start()
      for (const tell of watchers) tell(name, true)
    },
    onPower: (told) => watchers.push(told),
    plant: faults.plant,
    addRecordings: (more) => {
      for (const [name, recording] of more) recordings.set(name, recording)
    },
  }
}

const withLogs = (type: ResourceType): ResourceType =>
  type.subresources.includes('log') ? { ...type, texts: { log: readLog } } : type

/** A name or a label that the API server refuses is a mistake in the groups of nodes. */
function startAll(machines: ReadonlyMap<string, Machine>): void {
  try {
    for (const { kubelet } of machines.values()) kubelet.start()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new InvalidInput(`nodes: ${error.message}`, { cause: error })
  }
}
