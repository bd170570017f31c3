import type { ApiObject } from '../object.ts'

export type ServicePort = {
  readonly name?: string
  readonly protocol?: string
  readonly port?: number
  readonly targetPort?: number | string
  readonly nodePort?: number
}

export type ServiceSpec = {
  readonly type?: string
  readonly ports?: readonly ServicePort[]
  readonly selector?: Readonly<Record<string, string>>
  readonly clusterIP?: string
  readonly clusterIPs?: readonly string[]
  readonly ipFamilies?: readonly string[]
  readonly ipFamilyPolicy?: string
  readonly externalIPs?: readonly string[]
  readonly externalName?: string
  readonly sessionAffinity?: string
  readonly sessionAffinityConfig?: object
  readonly externalTrafficPolicy?: string
  readonly internalTrafficPolicy?: string
  readonly allocateLoadBalancerNodePorts?: boolean
}

type Ingress = { readonly ip?: string; readonly hostname?: string }
export type Service = ApiObject<
  ServiceSpec,
  { readonly loadBalancer?: { readonly ingress?: readonly Ingress[] } }
>

export const specOf = ({ spec }: ApiObject): ServiceSpec => spec ?? {}

export const isHeadless = ({ clusterIP, clusterIPs }: ServiceSpec): boolean =>
  (clusterIPs?.[0] ?? clusterIP) === 'None'
