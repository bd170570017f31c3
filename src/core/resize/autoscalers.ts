/**
 * Which autoscaler of Kubernetes stands on the same CPU. A HorizontalPodAutoscaler does if it counts
 * use relative to the request; a VerticalPodAutoscaler does if it changes pods that run.
 */

/** What a pod belongs to: its controller, that one's controller, and so on. */
export type Owner = {
  readonly apiVersion?: string
  readonly kind: string
  readonly name: string
}

type Metric = {
  readonly name: string
  readonly target?: { readonly type?: string }
}

export type HorizontalAutoscaler = {
  readonly metadata: { readonly name?: string }
  readonly spec?: {
    readonly scaleTargetRef?: Owner
    readonly metrics?: readonly {
      readonly resource?: Metric
      readonly containerResource?: Metric
    }[]
  }
}

export type VerticalAutoscaler = {
  readonly metadata: { readonly name?: string }
  readonly spec?: {
    readonly targetRef?: Owner
    readonly updatePolicy?: { readonly updateMode?: string }
    readonly resourcePolicy?: { readonly containerPolicies?: readonly ContainerPolicy[] }
  }
}

type ContainerPolicy = {
  /** `*` stands for all that are not named. */
  readonly containerName?: string
  readonly mode?: string
  readonly controlledResources?: readonly string[]
}

/** The name of the first that measures CPU by the request of a pod of these owners. */
export function horizontalAutoscalerOf(at: {
  readonly owners: readonly Owner[]
  readonly autoscalers: readonly HorizontalAutoscaler[]
}): string | undefined {
  const found = at.autoscalers.find(
    ({ spec }) => isAmong(at.owners, spec?.scaleTargetRef) && measuresByRequest(spec),
  )
  return found?.metadata.name
}

/** Without any metric the API server puts one on CPU. */
const measuresByRequest = ({ metrics = [] }: NonNullable<HorizontalAutoscaler['spec']> = {}) =>
  metrics.length === 0 ||
  metrics.some(({ resource, containerResource }) =>
    [resource, containerResource].some(
      (metric) => metric?.name === 'cpu' && metric.target?.type === 'Utilization',
    ),
  )

/** These modes never change a pod that runs. */
const restingModes = new Set(['Off', 'Initial'])

/** The name of the first that sets the CPU of one of the containers of a pod of these owners. */
export function verticalAutoscalerOf(at: {
  readonly owners: readonly Owner[]
  readonly containers: readonly string[]
  readonly autoscalers: readonly VerticalAutoscaler[]
}): string | undefined {
  const found = at.autoscalers.find(({ spec }) => {
    if (!isAmong(at.owners, spec?.targetRef)) return false
    if (restingModes.has(spec?.updatePolicy?.updateMode ?? '')) return false
    const policies = spec?.resourcePolicy?.containerPolicies ?? []
    return at.containers.some((container) => setsCpu(policies, container))
  })
  return found?.metadata.name
}

function setsCpu(policies: readonly ContainerPolicy[], container: string): boolean {
  const policy =
    policies.find(({ containerName }) => containerName === container) ??
    policies.find(({ containerName }) => containerName === '*')
  return policy?.mode !== 'Off' && (policy?.controlledResources?.includes('cpu') ?? true)
}

/** Of one group in any version: `apps/v1` and `apps/v1beta2` name the same Deployment. */
const isAmong = (owners: readonly Owner[], target: Owner | undefined): boolean =>
  target !== undefined &&
  owners.some(
    ({ apiVersion, kind, name }) =>
      kind === target.kind &&
      name === target.name &&
      groupOf(apiVersion) === groupOf(target.apiVersion),
  )

const groupOf = (apiVersion = ''): string => apiVersion.split('/').slice(0, -1).join('/')
