/** The parts of a LimitRange that we read: what pods and containers of a namespace may have of CPU. */
import { atMost, type Keep, only, short } from './keep.ts'
import type { KubeObject, Resource } from './object.ts'
import type { ResourceList } from './pod.ts'

export type LimitRange = KubeObject & { readonly spec?: { readonly limits?: readonly Limit[] } }

export type Limit = {
  /** `Container` for each of them, `Pod` for all of a pod together; others are not about CPU. */
  readonly type: string
  readonly max?: ResourceList
  readonly min?: ResourceList
  /** The most that a limit may be of its request. */
  readonly maxLimitRequestRatio?: ResourceList
  /** What a container gets that has no limit, or no request. */
  readonly default?: ResourceList
  readonly defaultRequest?: ResourceList
}

export const limitRanges: Resource<LimitRange> = {
  group: '',
  version: 'v1',
  plural: 'limitranges',
  kind: 'LimitRange',
  namespaced: true,
}

const cpuKeep: Keep = { cpu: short }

export const limitRangeKeep: Keep = {
  spec: {
    limits: {
      type: short,
      max: cpuKeep,
      min: cpuKeep,
      maxLimitRequestRatio: cpuKeep,
      default: cpuKeep,
      defaultRequest: cpuKeep,
      [only]: ({ type }) => type === 'Container' || type === 'Pod',
      [atMost]: 2,
    },
  },
}

/** A copy of what an informer keeps. */
export const projectLimitRange = ({ metadata, spec }: LimitRange): LimitRange => ({
  metadata: {
    ...(metadata.name !== undefined && { name: metadata.name }),
    ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
  },
  spec: { limits: (spec?.limits ?? []).flatMap(cpuPart) },
})

const kinds = ['max', 'min', 'maxLimitRequestRatio', 'default', 'defaultRequest'] as const

function cpuPart(limit: Limit): Limit[] {
  const kept = kinds.flatMap((kind) => {
    const cpu = limit[kind]?.['cpu']
    return cpu === undefined ? [] : [[kind, { cpu }] as const]
  })
  return kept.length === 0 ? [] : [{ type: limit.type, ...Object.fromEntries(kept) }]
}
