/** Which requests are about pods, for the plugins that are. */
import { asPod, type Pod } from '../kinds/pod/types.ts'
import type { AdmissionRequest } from '../write/cluster.ts'

export const isPod = ({ type }: AdmissionRequest): boolean =>
  type.group === '' && type.plural === 'pods'

export const isNewPod = (request: AdmissionRequest): boolean =>
  isPod(request) && request.operation === 'CREATE' && request.subresource === ''

export const isResize = (request: AdmissionRequest): boolean =>
  isPod(request) && request.operation === 'UPDATE' && request.subresource === 'resize'

export const podOf = ({ object }: AdmissionRequest): Pod => asPod(object)

export const withSpec = (pod: Pod, changes: Partial<Pod['spec']>): Pod => ({
  ...pod,
  spec: { ...pod.spec, ...changes },
})
