/** `metrics.k8s.io`, which `kubectl top` reads: computed from the simulated kernels when asked. */
import type { Agenda } from '../agenda.ts'
import type { Api } from '../apiserver/api.ts'
import type { ApiObject, Place } from '../apiserver/object.ts'
import type { ResourceType } from '../apiserver/resource-type.ts'
import type { ObjectShape, Shape } from '../apiserver/shape.ts'
import { objectMetaShape } from '../apiserver/types/shape-of.ts'
import type { NodeKernel } from '../kernel/kernel.ts'
import { memoryOf } from '../kubelet/behaviour.ts'
import { runtimeId } from '../kubelet/container-run.ts'
import { readyOf, type SimNode } from '../nodes/node.ts'
import type { SimPod } from '../nodes/pod.ts'
import { nodes, pods } from '../resources.ts'
import { timeOf } from '../timestamps.ts'
import { createMeter, type Usage } from './usage.ts'

/** What the system's own processes hold on every node. */
const systemBytes = 256 * 1024 ** 2

export function createMetricsTypes(at: {
  readonly api: Api
  readonly agenda: Agenda
  readonly kernels: ReadonlyMap<string, NodeKernel>
}): readonly ResourceType[] {
  const { api, agenda, kernels } = at
  const meter = createMeter(agenda)
  const startedAt = agenda.wall()
  api.subscribe(pods, ({ type, object }) => {
    if (type === 'DELETED') meter.forget(object.metadata.uid)
  })

  /** Of a node that answers. */
  const kernelOf = (name = ''): NodeKernel | undefined => {
    const node = api.find(nodes, { name }) as SimNode | undefined
    return node && readyOf(node)?.status === 'True' ? kernels.get(name) : undefined
  }

  const ofPod = (pod: SimPod): ApiObject[] => {
    const kernel = kernelOf(pod.spec.nodeName)
    if (kernel === undefined) return []
    const { containerStatuses = [] } = pod.status ?? {}
    const read = containerStatuses.flatMap(({ name, state, containerID = '' }) => {
      if (!('running' in state)) return []
      const id = containerID.slice(runtimeId('').length)
      const usage = meter.read(pod.metadata.uid, id, {
        usedMicros: () => kernel.read(id)?.usageMicros,
        since: Date.parse(state.running.startedAt),
      })
      return usage ? [{ name, usage }] : []
    })
    const [first] = read
    if (first === undefined) return []
    const containers = read.map(({ name, usage }) => ({
      name,
      usage: amounts(usage, memoryOf(pod)),
    }))
    return [{ ...headOf(pod, 'PodMetrics', first.usage), containers }]
  }

  const ofNode = (node: ApiObject): ApiObject[] => {
    const { name, uid } = node.metadata
    const kernel = kernelOf(name)
    const usage =
      kernel && meter.read(uid, name, { usedMicros: kernel.usedMicros, since: startedAt })
    if (usage === undefined) return []
    const here = (api.list(pods) as readonly SimPod[]).filter(
      ({ spec, status }) => spec.nodeName === name && status?.phase === 'Running',
    )
    const bytes = here.reduce((sum, pod) => sum + memoryOf(pod) * pod.spec.containers.length, 0)
    return [{ ...headOf(node, 'NodeMetrics', usage), usage: amounts(usage, systemBytes + bytes) }]
  }

  const findIn = (of: typeof pods, show: (object: never) => ApiObject[]) => (place: Place) => {
    const object = api.find(of, place)
    return object && show(object as never)[0]
  }
  return [
    metricsType('NodeMetrics', 'nodes', {
      find: findIn(nodes, ofNode),
      list: () => api.list(nodes).flatMap(ofNode),
    }),
    metricsType('PodMetrics', 'pods', {
      find: findIn(pods, ofPod),
      list: (namespace) => (api.list(pods, namespace) as readonly SimPod[]).flatMap(ofPod),
    }),
  ]
}

function headOf({ metadata }: ApiObject, kind: string, { at, windowMillis }: Usage): ApiObject {
  const { name, namespace, labels, uid } = metadata
  const time = timeOf(at)
  return {
    apiVersion: 'metrics.k8s.io/v1beta1',
    kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      uid,
      creationTimestamp: time,
      ...(labels && { labels }),
    },
    timestamp: time,
    window: durationOf(windowMillis),
  }
}

const amounts = ({ nanocores }: Usage, bytes: number) => ({
  cpu: nanocores === 0 ? '0' : `${nanocores}n`,
  memory: `${Math.ceil(bytes / 1024)}Ki`,
})

/** As Go writes it: `15s`, `1m15.5s`, `1h0m0s`. */
export function durationOf(millis: number): string {
  const seconds = `${(millis % 60_000) / 1000}s`
  const minutes = Math.floor(millis / 60_000) % 60
  const hours = Math.floor(millis / 3_600_000)
  if (hours > 0) return `${hours}h${minutes}m${seconds}`
  return minutes > 0 ? `${minutes}m${seconds}` : seconds
}

const text: Shape = { type: 'string' }
const usageShape: Shape = { type: 'map', values: { type: 'string', format: 'quantity' } }
const prefix = 'io.k8s.metrics.pkg.apis.metrics.v1beta1'

const containersShape: Shape = {
  type: 'list',
  merge: 'atomic',
  items: {
    type: 'object',
    typeName: `${prefix}.ContainerMetrics`,
    fields: new Map([
      ['name', { shape: text, required: true }],
      ['usage', { shape: usageShape, required: true }],
    ]),
  },
}

const shapeOf = (kind: string): ObjectShape => ({
  type: 'object',
  typeName: `${prefix}.${kind}`,
  fields: new Map<string, { readonly shape: Shape; readonly required?: boolean }>([
    ['apiVersion', { shape: text }],
    ['kind', { shape: text }],
    ['metadata', { shape: objectMetaShape }],
    ['timestamp', { shape: { type: 'string', format: 'date-time' }, required: true }],
    ['window', { shape: text, required: true }],
    kind === 'PodMetrics'
      ? ['containers', { shape: containersShape, required: true }]
      : ['usage', { shape: usageShape, required: true }],
  ]),
})

const metricsType = (
  kind: 'NodeMetrics' | 'PodMetrics',
  plural: string,
  computed: ResourceType['computed'] & object,
): ResourceType => ({
  group: 'metrics.k8s.io',
  version: 'v1beta1',
  kind,
  plural,
  singular: '',
  shortNames: [],
  categories: [],
  namespaced: kind === 'PodMetrics',
  verbs: ['get', 'list'],
  shape: shapeOf(kind),
  subresources: [],
  strategy: {},
  columns: [],
  selectableFields: {},
  hasGeneration: false,
  computed,
})
