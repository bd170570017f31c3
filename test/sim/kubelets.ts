import { loadTextOf, parseLoad } from '../../src/apis/load.ts'
/** For tests: an API server with kubelets, whose kernel does only what a test says, and no controllers. */
import { seededRandom } from '../../src/core/random.ts'
import { examine, mutate } from '../../src/sim/apiserver/admission/admit.ts'
import type { Api } from '../../src/sim/apiserver/api.ts'
import { builtInTypes } from '../../src/sim/apiserver/kinds/built-in-types.ts'
import { createApiServer } from '../../src/sim/apiserver/server.ts'
import { createAgenda, type RunningAgenda } from '../../src/sim/create-agenda.ts'
import { furnish } from '../../src/sim/furnish.ts'
import { checkSettings } from '../../src/sim/kernel/check-settings.ts'
import type { CpuSettings, NewContainer, NodeKernel } from '../../src/sim/kernel/kernel.ts'
import { createKubelet, type Kubelet } from '../../src/sim/kubelet/kubelet.ts'
import type { NodeSettings } from '../../src/sim/kubelet/node-settings.ts'
import type { SimNode } from '../../src/sim/nodes/node.ts'
import { createPodDispatcher, type PodDispatcher } from '../../src/sim/nodes/pod-dispatcher.ts'
import type { SimContainer, SimPod, SimPodSpec } from '../../src/sim/nodes/pod.ts'
import { events, nodes, pods, priorityClasses } from '../../src/sim/resources.ts'

/** 2026-01-01. */
export const startsAt = 1_767_225_600_000

/** Classes of these values are there. */
const priorities = [1, 2, 5, 9]
export const classOf = (priority: number): string => `priority-${priority}`

/** The API server with all its rules, as a new cluster has it, and nobody at work on it. */
export function furnishedApi(agenda: RunningAgenda): Api {
  const random = seededRandom(1)
  const { api } = createApiServer({ agenda, random, types: builtInTypes(), admit: mutate, examine })
  furnish(api)
  for (const value of priorities) {
    const metadata = { name: classOf(value) }
    api.create(priorityClasses, { metadata, value }, { manager: 'test' })
  }
  return api
}

type TestKernel = NodeKernel & {
  readonly containers: Map<string, NewContainer>
  /** By the pod's UID. */
  readonly podGroups: Map<string, CpuSettings>
}

/** Remembers what it was told, unless a kernel would refuse it; `containers.get(id)?.onDone?.()` ends a load. */
function rememberingKernel(): TestKernel {
  const containers = new Map<string, NewContainer>()
  const podGroups = new Map<string, CpuSettings>()
  return {
    containers,
    podGroups,
    add: (container) => void containers.set(container.id, container),
    addPod: ({ podUid, cpu }) => void podGroups.set(podUid, cpu),
    set(id, cpu) {
      const known = containers.get(id)
      const members = [...containers.values()].filter(({ podUid }) => podUid === id)
      const above = known && podGroups.get(known.podUid)
      checkSettings(id, cpu, { above, below: members.map((one) => one.cpu) })
      if (known) containers.set(id, { ...known, cpu })
      else podGroups.set(id, cpu)
    },
    setLoad(id, load) {
      const known = containers.get(id)
      if (known) containers.set(id, { ...known, load })
    },
    settings: (id) => containers.get(id)?.cpu ?? podGroups.get(id),
    identity: (id) => (containers.has(id) || podGroups.has(id) ? id : undefined),
    remove(id) {
      containers.delete(id)
      podGroups.delete(id)
    },
    read: () => undefined,
    latency: () => undefined,
    demandedMicros: () => undefined,
    waitedMicros: () => undefined,
    usedMicros: () => 0,
    machine: () => ({ atMicros: 0, usageMicros: 0 }),
  }
}

export const container = (more: Partial<SimContainer> = {}): SimContainer => ({
  name: 'main',
  image: 'app:1',
  ...more,
})

export const asking = (cpu: string, limit?: string): SimContainer =>
  container({ resources: { requests: { cpu }, ...(limit && { limits: { cpu: limit } }) } })

type NewPod = {
  readonly name?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly owner?: string
  readonly spec?: Partial<SimPodSpec>
}

export const newPod = ({ name = 'p', labels, annotations, owner, spec }: NewPod = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    namespace: 'default',
    name,
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(owner !== undefined && {
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, uid: owner, controller: true },
      ],
    }),
  },
  spec: { containers: [container()], terminationGracePeriodSeconds: 30, ...spec },
})

export const nodeSettings = (more: Partial<NodeSettings> = {}): NodeSettings => ({
  name: 'node-0',
  milliCpu: 2000,
  memoryBytes: 4 * 1024 ** 3,
  address: '10.0.0.1',
  podCidr: '10.244.0.0/24',
  ...more,
})

export type TestCluster = {
  readonly api: Api
  readonly agenda: RunningAgenda
  readonly dispatcher: PodDispatcher
  readonly kernel: TestKernel
  readonly kubelets: readonly Kubelet[]
  readonly add: (pod?: NewPod) => SimPod
  readonly pod: (name?: string) => SimPod | undefined
  readonly node: (name?: string) => SimNode | undefined
  readonly resize: (resources: SimContainer['resources'], name?: string) => void
  /** `Normal Started`, ... of one object, in order. */
  readonly events: (
    name?: string,
  ) => readonly { readonly reason: string; readonly message: string }[]
  /** So many simulated milliseconds on. */
  readonly pass: (millis: number) => Promise<void>
}

/** Kubelets without a scheduler: pods are bound to `node-0` unless they say otherwise. */
export async function startCluster(
  settings: readonly NodeSettings[] = [nodeSettings()],
  seed = 1,
): Promise<TestCluster> {
  const agenda = createAgenda({ speed: 'max', startsAt })
  const api = furnishedApi(agenda)
  const dispatcher = createPodDispatcher(api)
  const kernel = rememberingKernel()
  const random = seededRandom(seed)
  const load = ({ metadata }: SimPod, { name }: SimContainer) =>
    parseLoad(loadTextOf(metadata.annotations ?? {}, name))
  const kubelets = settings.map((node) =>
    createKubelet({ api, agenda, node, kernel, random, dispatcher, loadOf: load }),
  )
  const find = (name: string) =>
    api.find(pods, { namespace: 'default', name }) as SimPod | undefined
  const pass = async (millis: number) => agenda.run({ until: agenda.now() + millis })
  for (const kubelet of kubelets) kubelet.start()
  await pass(2000)
  return {
    api,
    agenda,
    dispatcher,
    kernel,
    kubelets,
    pass,
    add: ({ spec, ...more } = {}) =>
      api.create(pods, newPod({ ...more, spec: { nodeName: 'node-0', ...spec } }), {
        manager: 'test',
      }) as SimPod,
    pod: (name = 'p') => find(name),
    node: (name = 'node-0') => api.find(nodes, { name }) as SimNode | undefined,
    resize(resources, name = 'p') {
      const pod = find(name)
      if (pod === undefined) throw new Error(`resizing ${name}: expected it to be there`)
      const [first = container(), ...rest] = pod.spec.containers
      const containers = [{ ...first, ...(resources && { resources }) }, ...rest]
      const by = { manager: 'test', subresource: 'resize' } as const
      api.update(pods, { ...pod, spec: { ...pod.spec, containers } }, by)
    },
    events: (name = 'p') =>
      api.list(events).flatMap((event) => {
        const { involvedObject, reason, message } = event as unknown as {
          involvedObject: { name: string }
          reason: string
          message: string
        }
        return involvedObject.name === name ? [{ reason, message }] : []
      }),
  }
}

/** Rows whose names go on after the same words. */
export const named = <Row extends { readonly name: string }>(
  words: string,
  rows: readonly Row[],
): readonly Row[] => rows.map((row) => Object.assign({}, row, { name: `${words} ${row.name}` }))

export const conditionOf = (pod: SimPod | undefined, type: string) =>
  pod?.status?.conditions?.find((condition) => condition.type === type)
