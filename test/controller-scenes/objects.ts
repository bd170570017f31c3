import { crds } from '../../src/adapters/kube/apply-crds.ts'
/** For tests: objects that a controller meets beside pods and PodAllocations. */
import type { KubeObject, Resource } from '../../src/apis/object.ts'
import type { Container, Pod } from '../../src/apis/pod.ts'
import type { Kube } from '../../src/ports/kube.ts'
import { loadedPod } from '../platform.ts'

/** With whatever spec. */
export type Loose = KubeObject & { readonly spec?: unknown; readonly status?: unknown }

const looseResource = (
  plural: string,
  { group, version, kind, namespaced = true }: Kind,
): Resource<Loose> => ({ group, version, plural, kind, namespaced })

type Kind = Omit<Resource<Loose>, 'plural' | 'namespaced'> & { readonly namespaced?: boolean }

export const deployments = looseResource('deployments', {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
})
export const resourceQuotas = looseResource('resourcequotas', {
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
})
export const verticalAutoscalers = looseResource('verticalpodautoscalers', {
  group: 'autoscaling.k8s.io',
  version: 'v1',
  kind: 'VerticalPodAutoscaler',
})

/** Of a kind that the embedded cluster lacks; it takes whatever is in it, and is served a moment later. */
export async function define(kube: Kube, resource: Resource<Loose>): Promise<void> {
  const { group, version, plural, kind } = resource
  const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  await kube.create<Loose>(crds, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' },
    },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        { name: version, served: true, storage: true, schema: { openAPIV3Schema: schema } },
      ],
    },
  })
}

/** One pod, of 100m and 500m. */
export const deploymentOf = (name: string): Loose => {
  const { spec } = loadedPod(name)
  const labels = { app: name }
  return {
    metadata: { namespace: 'default', name },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec },
    },
  }
}

export const scaledByCpu = (name: string): Loose => ({
  metadata: { namespace: 'default', name },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
    minReplicas: 1,
    maxReplicas: 5,
    metrics: [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
      },
    ],
  },
})

export const sizedByVpa = (name: string, updateMode: string): Loose => ({
  metadata: { namespace: 'default', name },
  spec: {
    targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
    updatePolicy: { updateMode },
  },
})

/** With these parts of its spec, or of its first container, instead. */
export function changed(
  pod: Pod,
  { container = {}, spec = {} }: { container?: object; spec?: object },
): Pod {
  const [first, ...rest] = pod.spec.containers
  const containers = first ? [{ ...first, ...container }, ...rest] : rest
  return { ...pod, spec: { ...pod.spec, containers, ...spec } }
}

export const containerOf = (name: string, request: string, limit: string): Container => ({
  ...loadedPod(name, { request, limit }).spec.containers[0],
  name,
})
