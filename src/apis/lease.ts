import type { Millis } from '../core/units.ts'
import type { KubeObject, Resource } from './object.ts'

export type Lease = KubeObject & {
  readonly spec?: {
    /** Empty when nobody holds it. */
    readonly holderIdentity?: string
    /** How long the holder may go without renewing. */
    readonly leaseDurationSeconds?: number
    readonly acquireTime?: string
    readonly renewTime?: string
    /** How often it went from one holder to another. */
    readonly leaseTransitions?: number
  }
}

export const leases: Resource<Lease> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
}

/** `MicroTime` of the API: always six digits after the second. */
export const microTime = (wall: Millis): string => new Date(wall).toISOString().replace('Z', '000Z')
