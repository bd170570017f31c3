/** What to say when an object is not there: what was meant, most likely, or where to look. */
import { namespaces } from '../../../apis/namespace.ts'
import type { KubeObject, Resource } from '../../../apis/object.ts'
import { InvalidInput } from '../../../core/errors.ts'
import { nearest } from '../../../core/nearest.ts'
import type { Kube } from '../../../ports/kube.ts'
import { ifAllowed, keyOf } from '../read.ts'
import type { Place } from './place.ts'

type Lister = Pick<Kube, 'list'>

export type Missing = {
  /** Such as `explaining a pod`. */
  readonly doing: string
  readonly noun: string
  readonly resource: Resource<KubeObject>
  readonly name: string
  readonly namespace?: string
}

/** As many as are looked through for a name that is near. */
const most = 500

export async function missing(kube: Lister, what: Missing): Promise<InvalidInput> {
  const { doing, noun, resource, name, namespace } = what
  const where = namespace === undefined ? '' : ` in the namespace ${namespace}`
  const hint = (await nearName(kube, what)) ?? (await elsewhere(kube, what))
  const look = `kubectl get ${resource.plural}${namespace === undefined ? '' : ` -n ${namespace}`}`
  return new InvalidInput(`${doing}: there is no ${noun} ${name}${where}; ${hint ?? `see ${look}`}`)
}

async function nearName(kube: Lister, { resource, namespace, name }: Missing) {
  const names = await namesOf(kube, resource, namespace)
  // People know a pod by its Deployment, and forget what is behind it.
  const meant = names.find((one) => one.startsWith(`${name}-`)) ?? nearest(name, names)
  return meant && `did you mean ${meant}?`
}

async function elsewhere(kube: Lister, { resource, namespace, name }: Missing) {
  if (namespace === undefined) return undefined
  const fieldSelector = `metadata.name=${name}`
  const found = await ifAllowed(kube.list(resource, { fieldSelector, limit: 1 }))
  const [other] = found?.items ?? []
  if (other !== undefined) return `did you mean ${keyOf(other)}?`
  const known = await namesOf(kube, namespaces)
  if (known.length === 0 || known.includes(namespace)) return undefined
  const meant = nearest(namespace, known)
  return `there is no such namespace${meant === undefined ? '; see kubectl get namespaces' : `: did you mean ${meant}?`}`
}

async function namesOf(
  kube: Lister,
  resource: Resource<KubeObject>,
  namespace?: Place['namespace'],
): Promise<string[]> {
  const query = { limit: most, ...(namespace !== undefined && { namespace }) }
  const page = await ifAllowed(kube.list(resource, query))
  return (page?.items ?? []).map(({ metadata }) => metadata.name ?? '')
}
