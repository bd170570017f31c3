/** A pod without an account has that of its namespace. Tokens are not mounted: nothing reads them. */
import type { Admit } from '../write/cluster.ts'
import { isNewPod, podOf, withSpec } from './pods.ts'

const account = { serviceAccountName: 'default', serviceAccount: 'default' }

export const setServiceAccount: Admit = (request) => {
  const pod = podOf(request)
  if (!isNewPod(request) || pod.spec.serviceAccountName) return pod
  return withSpec(pod, account)
}
