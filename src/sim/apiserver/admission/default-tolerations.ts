/** Pods stay for five minutes on a node that is lost, unless they say otherwise. */
import type { Toleration } from '../kinds/pod/types.ts'
import type { Admit } from '../write/cluster.ts'
import { isPod, podOf, withSpec } from './pods.ts'

const losses = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']

const tolerates = ({ key, effect }: Toleration, taint: string): boolean =>
  (!key || key === taint) && (!effect || effect === 'NoExecute')

export const addTolerations: Admit = (request) => {
  const { subresource, operation } = request
  const pod = podOf(request)
  if (!isPod(request) || subresource !== '' || operation === 'DELETE') return pod
  const { tolerations = [] } = pod.spec
  const added = losses
    .filter((taint) => !tolerations.some((one) => tolerates(one, taint)))
    .map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }))
  return added.length === 0 ? pod : withSpec(pod, { tolerations: [...tolerations, ...added] })
}
