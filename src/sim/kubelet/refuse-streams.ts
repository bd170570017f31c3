/** What needs a process to talk to: `kubectl exec`, `attach` and `port-forward`. */
import { Refusal } from '../apiserver/refusal.ts'
import { type Answer, type Request, refusalAnswer } from '../apiserver/serve/exchange.ts'

const streams = /^\/api\/v1\/namespaces\/[^/]+\/pods\/([^/]+)\/(exec|attach|portforward)$/

/** Undefined for every other request. */
export function refuseStream({ path }: Request): Answer | undefined {
  const [, pod, verb] = streams.exec(path.split('?', 1)[0] ?? '') ?? []
  if (pod === undefined) return undefined
  return refusalAnswer(
    new Refusal({
      code: 501,
      reason: 'NotImplemented',
      message: `${verb} into pod ${pod}: its containers are simulated, no process runs in them`,
    }),
  )
}
