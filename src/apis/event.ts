/** Events of core/v1, which `kubectl describe` shows; events.k8s.io/v1 stores the same objects. */
import { type Keep, long, short } from './keep.ts'
import type { KubeObject, Resource } from './object.ts'

export type EventType = 'Normal' | 'Warning'

export type KubeEvent = KubeObject & {
  readonly involvedObject: ObjectReference
  readonly type: EventType
  /** One word in CamelCase, such as CPUApplied. */
  readonly reason: string
  readonly message: string
  readonly source: { readonly component: string; readonly host?: string }
  readonly reportingComponent: string
  readonly reportingInstance: string
  readonly count: number
  readonly firstTimestamp: string
  readonly lastTimestamp: string
}

export type ObjectReference = {
  readonly apiVersion: string
  readonly kind: string
  /** None for what has no namespace, such as a node. */
  readonly namespace?: string
  readonly name: string
  readonly uid?: string
  readonly resourceVersion?: string
}

export const events: Resource<KubeEvent> = {
  group: '',
  version: 'v1',
  plural: 'events',
  kind: 'Event',
  namespaced: true,
}

export const eventKeep: Keep = {
  metadata: { creationTimestamp: short },
  involvedObject: { kind: short, namespace: short, name: short },
  type: short,
  reason: short,
  message: long,
  lastTimestamp: short,
  count: short,
}
