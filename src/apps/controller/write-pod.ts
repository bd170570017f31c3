/**
 * The three ways in which the controller writes a pod. Each names the version that was decided on: when
 * the pod has changed meanwhile, or is another one of the same name, the server answers 409 and all is
 * decided anew. (A UID would tell only of another pod, and not of one that just opted out.) So also a
 * request that arrives late, of a controller that leads no more, changes nothing.
 */
import { fieldManagers, originalAnnotation } from '../../apis/names.ts'
import { apiVersionOf } from '../../apis/object.ts'
import { type Pod, pods } from '../../apis/pod.ts'
import { formatMillicores } from '../../core/quantity.ts'
import { formatOriginal } from '../../core/resize/original.ts'
import type { ContainerCpu } from '../../core/resize/types.ts'
import type { Kube } from '../../ports/kube.ts'
import type { SeenPod } from './seen-pod.ts'

export type PodWriter = {
  /** What it had first, which is what it has now if nothing else is known; the version after it. */
  readonly recordOriginal: (pod: SeenPod, signal: AbortSignal) => Promise<string>
  readonly dropOriginal: (pod: SeenPod, signal: AbortSignal) => Promise<void>
  /** All containers in one request; the version of the pod after it. */
  readonly resize: (pod: SeenPod, resize: Resize, signal: AbortSignal) => Promise<string>
}

export type Resize = { readonly to: readonly ContainerCpu[]; readonly version: string }

const fieldManager = fieldManagers.controller

export function createPodWriter(kube: Pick<Kube, 'patch'>): PodWriter {
  return {
    /**
     * Applied, so that the server records it as ours even on a pod whose record of writers somebody
     * cleared, or that has such a note already. On a pod that is gone this would be a create, which
     * neither the version nor our role allows.
     */
    recordOriginal: async (pod, signal) => {
      const { namespace = '', name = '', resourceVersion } = pod.metadata
      const annotations = { [originalAnnotation]: formatOriginal(pod.original ?? pod.cpu.spec) }
      const metadata = { namespace, name, resourceVersion, annotations }
      const body = { apiVersion: apiVersionOf(pods), kind: pods.kind, metadata }
      const patch = { type: 'apply', body, fieldManager, force: true } as const
      const options = { signal, purpose: 'status' } as const
      return versionOf(await kube.patch(pods, { namespace, name }, patch, options))
    },
    dropOriginal: async ({ metadata: { namespace = '', name = '', resourceVersion } }, signal) => {
      const body = { metadata: { resourceVersion, annotations: { [originalAnnotation]: null } } }
      const options = { signal, purpose: 'status', fieldManager } as const
      await kube.patch(pods, { namespace, name }, { type: 'merge', body }, options)
    },
    resize: async (
      { metadata: { namespace = '', name = '' }, sidecars },
      { to, version },
      signal,
    ) => {
      const isSidecar = (container: ContainerCpu): boolean => sidecars.includes(container.name)
      const body = {
        metadata: { resourceVersion: version },
        spec: {
          containers: to.filter((container) => !isSidecar(container)).map(resourcesOf),
          initContainers: to.filter(isSidecar).map(resourcesOf),
        },
      }
      const place = { namespace, name, subresource: 'resize' } as const
      const options = { signal, purpose: 'write', fieldManager } as const
      return versionOf(await kube.patch(pods, place, { type: 'strategic', body }, options))
    },
  }
}

const versionOf = ({ metadata }: Pod): string => metadata.resourceVersion ?? ''

const resourcesOf = ({ name, request, limit }: ContainerCpu) => ({
  name,
  resources: {
    ...(request !== undefined && { requests: { cpu: formatMillicores(request) } }),
    ...(limit !== undefined && { limits: { cpu: formatMillicores(limit) } }),
  },
})
