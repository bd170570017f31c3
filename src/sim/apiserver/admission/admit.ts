/**
 * What the server adds to a request, and what it refuses whatever the kind's own rules say: the
 * admission plugins that a Kubernetes API server has by default, as far as its objects are ours.
 */
import type { ApiObject } from '../object.ts'
import type { Admit, AdmissionRequest } from '../write/cluster.ts'
import { addTolerations } from './default-tolerations.ts'
import { checkLimits, fillFromLimits } from './limit-ranger.ts'
import { checkNamespace } from './namespace-lifecycle.ts'
import { taintNode } from './node-taint.ts'
import { checkNode } from './pod-resize.ts'
import { checkDefaultClass, checkSystemClass, setPriority } from './priority.ts'
import { checkQuotas } from './resource-quota.ts'
import { setServiceAccount } from './service-account.ts'

/** Each leaves alone what is not its own. In the real server's order. */
const mutations: readonly Admit[] = [
  fillFromLimits,
  setServiceAccount,
  taintNode,
  setPriority,
  addTolerations,
]
const checks: readonly ((request: AdmissionRequest) => void)[] = [
  checkLimits,
  checkDefaultClass,
  checkNode,
  checkQuotas,
]

/** Heartbeats and statuses, most of all writes, are left as they are. */
const isMutable = ({ type, subresource }: AdmissionRequest): boolean =>
  type.group === '' &&
  (type.plural === 'pods' || type.plural === 'nodes') &&
  (subresource === '' || subresource === 'resize')

/** What is added; to be called before the kind's rules. */
export function mutate(request: AdmissionRequest): ApiObject {
  checkNamespace(request)
  checkSystemClass(request)
  if (!isMutable(request)) return request.object
  return mutations.reduce((object, change) => change({ ...request, object }), request.object)
}

/** What is refused; to be called after the kind's rules, which have the first word. */
export function examine(request: AdmissionRequest): void {
  for (const check of checks) check(request)
}
