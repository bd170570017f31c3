/** The kinds that the cases use beside ours, and builders with defaults. */
import type { KubeObject, Resource } from '../../src/apis/object.ts'
import type { PodAllocation, PodAllocationSpec } from '../../src/apis/pod-allocation.ts'
import type { Container, Pod, PodSpec, ResourceRequirements } from '../../src/apis/pod.ts'
import { busyboxImage } from '../kubernetes/images.ts'

export type ConfigMap = KubeObject & { readonly data?: Readonly<Record<string, string>> }
export type WithSpec = KubeObject & { readonly spec?: unknown }
export type Quota = WithSpec & { readonly status?: { readonly hard?: unknown; used?: unknown } }

const core = <T extends KubeObject>(plural: string, kind: string): Resource<T> => ({
  group: '',
  version: 'v1',
  plural,
  kind,
  namespaced: true,
})

export const configMaps = core<ConfigMap>('configmaps', 'ConfigMap')
export const limitRanges = core<WithSpec>('limitranges', 'LimitRange')
export const resourceQuotas = core<Quota>('resourcequotas', 'ResourceQuota')
export const namespaces: Resource<KubeObject & { status?: { phase?: string } }> = {
  ...core('namespaces', 'Namespace'),
  namespaced: false,
}

/** Widens a literal: the product's types name only what the product reads. */
export const newObject = (object: WithSpec): KubeObject => object

export const configMap = (
  namespace: string,
  name: string,
  more: { data?: ConfigMap['data']; labels?: Record<string, string> } = {},
): ConfigMap => ({
  metadata: { namespace, name, ...(more.labels && { labels: more.labels }) },
  data: more.data ?? {},
})

export type TestContainer = Container & {
  readonly image: string
  readonly imagePullPolicy: 'Never'
  readonly command: readonly string[]
  readonly readinessProbe?: unknown
}
type TestPodSpec = PodSpec & {
  readonly terminationGracePeriodSeconds: number
  readonly schedulingGates?: readonly { name: string }[]
}
export type TestPod = Pod & { readonly spec: TestPodSpec }

export const sleeping = ['/bin/sh', '-c', "trap 'exit 0' TERM; while :; do sleep 1; done"]

export const container = (name: string, more: Partial<TestContainer> = {}): TestContainer => ({
  name,
  image: busyboxImage,
  imagePullPolicy: 'Never',
  command: ['/bin/sleep', '3600'],
  ...more,
})

export const resources = (
  requests: Record<string, string>,
  limits?: Record<string, string>,
): ResourceRequirements => ({ requests, ...(limits && { limits }) })

/** Burstable. */
export const burstable = resources({ cpu: '20m', memory: '32Mi' }, { cpu: '100m', memory: '64Mi' })

type PodOptions = {
  readonly name?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly spec?: Partial<TestPodSpec>
  readonly containers?: readonly TestContainer[]
}

/** One container `main`, Burstable. */
export function pod(namespace: string, options: PodOptions = {}): TestPod {
  const { name = 'p', labels, annotations, spec, containers } = options
  return {
    metadata: { namespace, name, ...(labels && { labels }), ...(annotations && { annotations }) },
    spec: {
      terminationGracePeriodSeconds: 0,
      containers: containers ?? [container('main', { resources: burstable })],
      ...spec,
    },
  }
}

/** Never leaves the API server: nothing schedules it. */
export const waitingPod = (namespace: string, options: PodOptions = {}): TestPod =>
  pod(namespace, {
    ...options,
    spec: { schedulingGates: [{ name: 'mbcas.io/never' }], ...options.spec },
  })

export const allocation = (
  namespace: string,
  name: string,
  spec: Partial<PodAllocationSpec> = {},
): PodAllocation => ({
  metadata: { namespace, name },
  spec: {
    podName: name,
    desiredCPURequest: '100m',
    desiredCPULimit: '200m',
    ...spec,
  } as PodAllocationSpec,
})
