/** A request with headers of its own, for what the port does not ask: tables, discovery of kubectl. */
import { request } from 'node:https'

import { createConnections } from '../../src/adapters/kube/connections.ts'
import { createCredentials } from '../../src/adapters/kube/credentials.ts'
import { loadConfig } from '../../src/adapters/kube/load-config.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import type { ContractServer } from './case.ts'

export type Answer = {
  readonly code: number
  readonly type: string
  readonly text: string
}

export const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'

export async function ask(
  { kubeconfig }: ContractServer,
  path: string,
  options: {
    readonly method?: string
    readonly accept?: string
    readonly contentType?: string
    readonly body?: string
  } = {},
): Promise<Answer> {
  const { method = 'GET', accept = 'application/json', contentType, body } = options
  const config = await loadConfig({ kubeconfig, env: {} })
  const identity = await createCredentials(config.user, systemClock).identity()
  const connections = createConnections(config, { clock: systemClock, maxSockets: 1 })
  const headers = {
    ...(identity.headers as Record<string, string>),
    Accept: accept,
    ...(contentType !== undefined && { 'Content-Type': contentType }),
    // Without it the body of a DELETE would be sent as nothing.
    ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
  }
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const agent = connections.agent('request', identity)
      const outgoing = request(config.server + path, { method, headers, agent }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            code: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            text,
          }),
        )
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  } finally {
    connections.close()
  }
}

export async function askJson<T>(
  server: ContractServer,
  path: string,
  accept?: string,
): Promise<T> {
  const { code, text } = await ask(server, path, accept === undefined ? {} : { accept })
  if (code !== 200) throw new Error(`getting ${path}: ${code} ${text}`)
  return JSON.parse(text) as T
}
