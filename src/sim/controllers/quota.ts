/** Keeps `status.used` of ResourceQuotas current. */
import type { Agenda } from '../agenda.ts'
import { quotaUsage } from '../apiserver/admission/quota-usage.ts'
import type { Api } from '../apiserver/api.ts'
import { keyOf, placeOf } from '../apiserver/object.ts'
import type { Situation } from '../apiserver/resource-type.ts'
import { resourceQuotas } from '../resources.ts'
import { createLoop } from './loop.ts'

/** Changes of many objects at once are counted once. */
const delay = 100

export function runQuotas({ api, agenda }: { readonly api: Api; readonly agenda: Agenda }): void {
  const situation = (): Situation => ({ now: agenda.wall(), find: api.find, all: api.list })

  const loop = createLoop(agenda, (key) => {
    const [namespace = '', name = ''] = key.split('/')
    const quota = api.find(resourceQuotas, { namespace, name })
    if (quota !== undefined) {
      const status = quotaUsage(quota, situation())
      api.update(
        resourceQuotas,
        { ...quota, status },
        { manager: 'kube-controller-manager', subresource: 'status' },
      )
    }
    return undefined
  })
  const known = new Map<string, Set<string>>()
  api.subscribe(resourceQuotas, ({ type, object }) => {
    const { namespace = '' } = object.metadata
    const key = keyOf(placeOf(object))
    const here = known.get(namespace) ?? new Set()
    if (type === 'DELETED') here.delete(key)
    else {
      known.set(namespace, here.add(key))
      loop.add(key)
    }
  })
  api.subscribeAll(({ resource, object }) => {
    if (resource.plural === resourceQuotas.plural) return
    for (const key of known.get(object.metadata.namespace ?? '') ?? []) loop.add(key, delay)
  })
}
