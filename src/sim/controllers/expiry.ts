/** What nobody deletes: events after an hour, and pods of nodes that are no more. */
import type { Agenda } from '../agenda.ts'
import type { Api } from '../apiserver/api.ts'
import { placeOf } from '../apiserver/object.ts'
import { events, nodes, pods } from '../resources.ts'
import type { PodObject } from './workload.ts'

const eventLife = 3_600_000
/** As the real pod garbage collector: a node that is only renamed or registered again keeps its pods. */
const quarantine = 40_000

export function runExpiry({ api, agenda }: { readonly api: Api; readonly agenda: Agenda }): void {
  api.subscribe(events, ({ type, object, version }) => {
    if (type === 'DELETED') return
    const place = placeOf(object)
    agenda.at(agenda.now() + eventLife, () => {
      // A repeated event lives on: its own timer is under way.
      if (api.find(events, place)?.metadata.resourceVersion === String(version))
        api.remove(events, place)
    })
  })
  api.subscribe(nodes, ({ type, object }) => {
    if (type !== 'DELETED') return
    const { name } = object.metadata
    agenda.at(agenda.now() + quarantine, () => {
      if (api.find(nodes, { name }) !== undefined) return
      for (const pod of api.list(pods) as readonly PodObject[]) {
        if (pod.spec?.nodeName === name) api.remove(pods, placeOf(pod), { graceSeconds: 0 })
      }
    })
  })
}
