/** What a person does with `kubectl apply` and `kubectl delete`, done by whoever directs a scenario. */
import type { Manifest } from '../apis/scenario-file.ts'
import { InvalidInput } from '../core/errors.ts'
import type { Api } from './apiserver/api.ts'
import { Refusal } from './apiserver/refusal.ts'
import { apiVersionOf, type ResourceType } from './apiserver/resource-type.ts'
import type { Answer, Request } from './apiserver/serve/exchange.ts'

/** Whoever directs the faults does not meet them. */
export const director = 'mbcas-scenario'

type Server = { readonly api: Api; readonly handle: (request: Request) => Answer }

/** Server-side apply: creates it, or changes what is there. */
export function applyManifest({ api, handle }: Server, manifest: Manifest): void {
  const type = typeOf(api, manifest)
  const namespace = namespaceIn(type, manifest)
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${apiVersionOf(type)}`
  const within = namespace === undefined ? '' : `/namespaces/${namespace}`
  const { name } = manifest.metadata
  const answer = handle({
    method: 'PATCH',
    path: `${root}${within}/${type.plural}/${name}?fieldManager=scenario&force=true`,
    headers: { 'content-type': 'application/apply-patch+yaml', 'user-agent': director },
    body: JSON.stringify(manifest),
  })
  if (answer.kind !== 'whole')
    throw new Error(`applying ${type.kind} ${name}: no whole answer came`)
  if (answer.status < 400) return
  const { message = answer.body } = JSON.parse(answer.body) as { message?: string }
  throw new InvalidInput(message)
}

/** `isGoneFine`: that it is not there is no mistake. */
export function deleteManifest(
  { api }: Pick<Server, 'api'>,
  manifest: Manifest,
  { isGoneFine }: { readonly isGoneFine: boolean },
): void {
  const type = typeOf(api, manifest)
  const place = { namespace: namespaceIn(type, manifest), name: manifest.metadata.name }
  try {
    api.remove(type, place)
  } catch (error) {
    const isGone = error instanceof Refusal && api.find(type, place) === undefined
    if (!isGone || !isGoneFine) throw error
  }
}

const namespaceIn = (type: ResourceType, { metadata }: Manifest): string | undefined =>
  type.namespaced ? (metadata.namespace ?? 'default') : undefined

function typeOf(api: Api, { apiVersion, kind }: Manifest): ResourceType {
  const found = api.types().find((type) => type.kind === kind && apiVersionOf(type) === apiVersion)
  if (found === undefined)
    throw new InvalidInput(`expected a kind that is served, got ${apiVersion} ${kind}`)
  return found
}
