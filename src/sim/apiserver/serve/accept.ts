/** In what form the client wants its answer: as it is, as a table, or only the metadata. */
import { Refusal } from '../refusal.ts'

export type Form = 'json' | 'table' | 'metadata'

const plain = new Set([
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/*',
  '*/*',
])

/** The first that we have. Answers are always JSON: every client of ours lists it, too. */
export function formFor(accept: string | undefined): Form {
  let unknownForm = false
  for (const clause of (accept ?? '*/*').split(',')) {
    const [media = '', ...rest] = clause.split(';').map((part) => part.trim())
    if (!plain.has(media)) continue
    const parameters = new Map(rest.map((part) => part.split('=', 2) as [string, string]))
    const as = parameters.get('as')
    if (as === undefined) return 'json'
    if (parameters.get('g') === 'meta.k8s.io' && parameters.get('v') === 'v1') {
      if (as === 'Table') return 'table'
      if (as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') return 'metadata'
    }
    unknownForm = true
  }
  throw notAcceptable(unknownForm)
}

const notAcceptable = (unknownForm: boolean): Refusal =>
  unknownForm
    ? new Refusal({
        code: 406,
        reason: 'NotAcceptable',
        message:
          'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
      })
    : new Refusal({
        code: 406,
        reason: 'NotAcceptable',
        message:
          '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
        details: {},
      })
