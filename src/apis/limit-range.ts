/** The parts of a LimitRange that we read: what pods and containers of a namespace may have of CPU. */
import type { KubeObject, Resource } from './object.ts'
import type { ResourceList } from './pod.ts'

export type LimitRange = KubeObject & { readonly spec?: { readonly limits?: readonly Limit[] } }

export type Limit = {
  /** `Container` for each of them, `Pod` for all of a pod together; others are not about CPU. */
  readonly type: string
  readonly max?: ResourceList
  readonly min?: ResourceList
}

export const limitRanges: Resource<LimitRange> = {
  group: '',
  version: 'v1',
  plural: 'limitranges',
  kind: 'LimitRange',
  namespaced: true,
}

/** A copy of what an informer keeps. */
export const projectLimitRange = ({ metadata, spec }: LimitRange): LimitRange => ({
  metadata: {
    ...(metadata.name !== undefined && { name: metadata.name }),
    ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
  },
  spec: { limits: (spec?.limits ?? []).flatMap(cpuPart) },
})

function cpuPart({ type, max, min }: Limit): Limit[] {
  const [most, least] = [max?.['cpu'], min?.['cpu']]
  if (most === undefined && least === undefined) return []
  return [
    {
      type,
      ...(most !== undefined && { max: { cpu: most } }),
      ...(least !== undefined && { min: { cpu: least } }),
    },
  ]
}
