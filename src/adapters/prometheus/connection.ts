/** Where a Prometheus is, and the connection to it. */
import type { Agent as PlainAgent } from 'node:http'
import { Agent } from 'node:https'

import { InvalidInput } from '../../core/errors.ts'
import type { RotatingText } from '../kube/rotating-text.ts'

/** With a slash at the end, so that a path can be added. */
export function checkUrl(text: string, caFile: string | undefined): URL {
  const refuse = (expected: string, got: string): InvalidInput =>
    new InvalidInput(`address of Prometheus: expected ${expected}, got ${got}`)
  if (!URL.canParse(text)) throw refuse('a URL such as http://prometheus.monitoring:9090', text)
  const url = new URL(text)
  const shown = withoutPassword(url)
  if (!['http:', 'https:'].includes(url.protocol)) throw refuse('http:// or https://', shown)
  if (url.search !== '' || url.hash !== '') throw refuse('a URL without ? and #', shown)
  if (caFile !== undefined && url.protocol === 'http:') throw refuse('https:// with a CA', shown)
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url
}

export function withoutPassword(url: URL): string {
  const shown = new URL(url)
  shown.password = ''
  return shown.href
}

export type Connection = {
  readonly agent: () => Agent | PlainAgent
  /** The next question looks at the CA's file. */
  readonly renewCa: () => void
  readonly close: () => void
}

/** One, kept alive; made anew when the CA was replaced. */
export function openConnection({ protocol }: URL, caText: RotatingText | undefined): Connection {
  let made: { readonly ca: string | undefined; readonly agent: Agent | PlainAgent } | undefined
  return {
    agent: () => {
      const ca = caText?.read()
      if (made !== undefined && made.ca === ca) return made.agent
      made?.agent.destroy()
      made = { ca, agent: protocol === 'http:' ? plainAgent() : secureAgent(ca) }
      return made.agent
    },
    renewCa: () => caText?.expire(),
    close: () => made?.agent.destroy(),
  }
}

const usual = { keepAlive: true, maxSockets: 1 }

function plainAgent(): PlainAgent {
  // `import 'node:http'` would load undici on Node >= 22, some 7 MB.
  const { Agent: Plain } = process.getBuiltinModule('node:http')
  return new Plain(usual)
}

const secureAgent = (ca: string | undefined): Agent =>
  new Agent({
    ...usual,
    rejectUnauthorized: true, // said outright, so that the environment cannot turn it off
    ...(ca === undefined ? {} : { ca }),
  })
