/** Planted faults as the API server carries them out, and the address where they are planted. */
import { type Fault, faultFile, type FaultKind } from '../../apis/fault-file.ts'
import { parseAs } from '../../apis/parse.ts'
import { InvalidInput } from '../../core/errors.ts'
import { Refusal } from '../apiserver/refusal.ts'
import { type Answer, jsonAnswer, type Request, textAnswer } from '../apiserver/serve/exchange.ts'
import type { Fault as ServedFault } from '../apiserver/serve/faults.ts'
import type { Faults } from './choose-fault.ts'

export const faultsPath = '/sim/faults'

const by = 'by a fault that was planted'

const refuse = (code: number, reason: string, details?: Refusal['details']): ServedFault => ({
  kind: 'refuse',
  refusal: new Refusal({ code, reason, message: by, ...(details && { details }) }),
})

const served: Readonly<Record<FaultKind, (fault: Fault) => ServedFault>> = {
  error: () => refuse(500, 'InternalError'),
  'too-many-requests': ({ retryAfterSeconds }) =>
    refuse(429, 'TooManyRequests', { retryAfterSeconds }),
  conflict: () => refuse(409, 'Conflict'),
  expired: () => refuse(410, 'Expired'),
  slow: ({ delayMillis }) => ({ kind: 'delay', millis: delayMillis }),
  'reset-before': () => ({ kind: 'reset', when: 'before' }),
  'reset-after': () => ({ kind: 'reset', when: 'after' }),
  'drop-watch': ({ events }) => ({ kind: 'watch', after: events, how: 'break' }),
  'stall-watch': ({ events }) => ({ kind: 'watch', after: events, how: 'stall' }),
}

export const servedFault = (fault: Fault): ServedFault => served[fault.kind](fault)

/** GET shows what is planted and what came of it, PUT replaces it, DELETE ends it. */
export function answerFaults(faults: Faults, { method, body }: Request): Answer {
  const show = (status: number) =>
    jsonAnswer(status, JSON.stringify({ faults: faults.planted(), came: faults.counts() }))
  switch (method) {
    case 'GET':
      return show(200)
    case 'DELETE':
      faults.plant([])
      return show(200)
    case 'PUT':
    case 'POST':
      try {
        const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
        faults.plant(parseAs(faultFile, JSON.parse(text), 'faults').faults)
        return show(200)
      } catch (error) {
        if (!(error instanceof InvalidInput || error instanceof SyntaxError)) throw error
        return textAnswer(400, `${error.message}\n`)
      }
    default:
      return textAnswer(405, `expected GET, PUT or DELETE, got ${method}\n`)
  }
}
