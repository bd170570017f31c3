/** A new node takes no pods until the node controller has seen that it is ready. */
import type { ApiObject } from '../object.ts'
import type { Admit } from '../write/cluster.ts'

type Spec = { readonly taints?: readonly { readonly key: string; readonly effect: string }[] }

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }

export const taintNode: Admit = ({ type, operation, subresource, object }) => {
  const isNew = operation === 'CREATE' && subresource === ''
  if (!isNew || type.group !== '' || type.plural !== 'nodes') return object
  const { spec } = object as ApiObject<Spec>
  const taints = spec?.taints ?? []
  const isTainted = taints.some(
    ({ key, effect }) => key === notReady.key && effect === notReady.effect,
  )
  return isTainted ? object : { ...object, spec: { ...spec, taints: [...taints, notReady] } }
}
