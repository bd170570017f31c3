/** Questions about the caller: there is one user, and that one may do everything. */
import { timeOf } from '../../timestamps.ts'
import type { JsonObject } from '../object.ts'
import type { Call, Core } from './core.ts'
import { jsonAnswer, type Whole } from './exchange.ts'
import { readWriteQuery } from './query.ts'
import { readBody, readObject } from './read-body.ts'

const user = { username: 'admin', uid: 'admin', groups: ['system:masters', 'system:authenticated'] }

const answers: Readonly<Record<string, JsonObject>> = {
  'authorization.k8s.io/selfsubjectaccessreviews': { allowed: true },
  'authentication.k8s.io/selfsubjectreviews': { userInfo: user },
}

const keyOf = ({ type }: Call): string => `${type.group}/${type.plural}`

export const isReview = (call: Call): boolean => keyOf(call) in answers

/** Answered and not kept. */
export function postReview({ agenda }: Core, call: Call): Whole {
  const { type, query, headers } = call
  const { validation } = readWriteQuery(query, {
    kind: 'CreateOptions',
    userAgent: headers['user-agent'],
  })
  const { object, warnings } = readObject(type, readBody(call, type.kind), validation)
  const metadata = { creationTimestamp: timeOf(agenda.wall()) }
  const answer = { ...object, metadata, status: answers[keyOf(call)] }
  return jsonAnswer(201, JSON.stringify(answer), warnings)
}
