/** Nothing is made in a namespace that is not there or is going, and some namespaces never go. */
import { namespaces } from '../../resources.ts'
import { forbidden, notFound } from '../refusal.ts'
import type { AdmissionRequest } from '../write/cluster.ts'

const immortal = new Set(['default', 'kube-system', 'kube-public'])

export function checkNamespace({ operation, type, object, at }: AdmissionRequest): void {
  const { name, namespace } = object.metadata
  const isNamespace = type.group === '' && type.plural === 'namespaces'
  if (operation === 'DELETE') {
    if (isNamespace && immortal.has(name))
      throw forbidden(type, name, { why: 'this namespace may not be deleted' })
    return
  }
  if (isNamespace || namespace === undefined) return
  const home = at.find(namespaces, { name: namespace })
  if (home === undefined) throw notFound(namespaces, namespace)
  const { phase } = (home.status ?? {}) as { readonly phase?: string }
  if (operation === 'CREATE' && phase === 'Terminating')
    throw forbidden(type, name, {
      why: `unable to create new content in namespace ${namespace} because it is being terminated`,
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    })
}
