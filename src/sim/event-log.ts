/**
 * Every change of the cluster as a line of JSON, with a digest of the whole object: two runs did the
 * same if and only if their logs are the same, byte for byte.
 */
import { createHash } from 'node:crypto'

import type { Agenda } from './agenda.ts'
import type { Api } from './apiserver/api.ts'
import { type ApiObject, keyOf, placeOf } from './apiserver/object.ts'

export function logEvents(at: {
  readonly api: Api
  readonly agenda: Agenda
  readonly write: (line: string) => void
}): void {
  const { api, agenda, write } = at
  api.subscribeAll(({ type, resource, object, version }) => {
    const { group, plural } = resource
    write(
      `${JSON.stringify({
        at: new Date(agenda.wall()).toISOString(),
        version,
        change: type,
        resource: group === '' ? plural : `${plural}.${group}`,
        object: keyOf(placeOf(object)),
        digest: createHash('sha256').update(whole(object)).digest('hex').slice(0, 16),
      })}\n`,
    )
  })
}

/** But for the certificate of the server, which is another in each run. */
const whole = (object: ApiObject): string =>
  JSON.stringify(
    object.metadata.name === 'kube-root-ca.crt' ? { ...object, data: undefined } : object,
  )
