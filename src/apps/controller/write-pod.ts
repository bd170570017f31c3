/**
 * The three ways in which the controller writes a pod. Each names the version that was decided on: when
 * the pod has changed meanwhile, or is another one of the same name, the server answers 409 and all is
 * decided anew. (A UID would tell only of another pod, and not of one that just opted out.) So also a
 * request that arrives late, of a controller that leads no more, changes nothing.
 */
import { fieldManagers, originalAnnotation } from '../../apis/names.ts'
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
  const annotate = async (
    { metadata: { namespace = '', name = '', resourceVersion } }: SeenPod,
    text: string | null,
    signal: AbortSignal,
  ): Promise<string> => {
    const annotations = { [originalAnnotation]: text }
    const body = { metadata: { resourceVersion, annotations } }
    const options = { signal, purpose: 'status', fieldManager } as const
    return versionOf(await kube.patch(pods, { namespace, name }, { type: 'merge', body }, options))
  }

  return {
    recordOriginal: async (pod, signal) => {
      const text = formatOriginal(pod.original ?? pod.cpu.spec)
      if (!pod.hasForeignNote) return annotate(pod, text, signal)
      // A note that says the same would stay the other's: it goes first.
      const resourceVersion = await annotate(pod, null, signal)
      return annotate({ ...pod, metadata: { ...pod.metadata, resourceVersion } }, text, signal)
    },
    dropOriginal: async (pod, signal) => {
      await annotate(pod, null, signal)
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
