/**
 * Kept-alive connections. Watches have a pool of their own, since each holds its connection for
 * minutes, and leases another, so that no crowd of requests delays a renewal.
 */
import type { Agent as PlainAgent } from 'node:http'
import { Agent } from 'node:https'
import { createSecureContext, type SecureContextOptions } from 'node:tls'

import type { Clock } from '../../ports/clock.ts'
import type { KubeConfig } from './config.ts'
import type { Identity } from './credentials.ts'
import { rotatingText } from './rotating-text.ts'

export type PoolName = 'request' | 'watch' | 'lease'

export type Connections = {
  readonly agent: (pool: PoolName, identity: Identity) => Agent | PlainAgent
  /** After the server's certificate was not trusted: whether the CA has changed since. */
  readonly renewCa: () => boolean
  readonly close: () => void
}

/** kube-apiserver closes a connection that is idle for 90 s; we go first, so as not to meet it. */
const idleLimit = 60_000
const leaseSockets = 2

type Pools = Readonly<Record<PoolName, Agent | PlainAgent>>

export function createConnections(
  config: KubeConfig,
  { clock, maxSockets }: { readonly clock: Clock; readonly maxSockets: number },
): Connections {
  const caText = config.ca && rotatingText(config.ca, clock)
  let made: { ca: string | undefined; by: Identity; pools: Pools } | undefined
  return {
    agent: (pool, identity) => {
      const ca = caText?.read()
      const { certificate, key } = identity
      const fits =
        made !== undefined &&
        made.ca === ca &&
        made.by.certificate === certificate &&
        made.by.key === key
      if (made === undefined || !fits) {
        const pools = makePools(config, { ca, identity, maxSockets })
        if (made !== undefined) retire(made.pools)
        made = { ca, by: identity, pools }
      }
      return made.pools[pool]
    },
    renewCa: () => {
      caText?.expire()
      return made !== undefined && caText?.read() !== made.ca
    },
    close: () => {
      for (const agent of Object.values(made?.pools ?? {})) agent.destroy()
    },
  }
}

function makePools(
  config: KubeConfig,
  { ca, identity, maxSockets }: { ca: string | undefined; identity: Identity; maxSockets: number },
): Pools {
  const pools = {
    request: { keepAlive: true, maxSockets, timeout: idleLimit },
    watch: { keepAlive: true }, // may be idle while in use
    lease: { keepAlive: true, maxSockets: leaseSockets, timeout: idleLimit },
  }
  if (config.server.startsWith('http:')) {
    // `import 'node:http'` would load undici on Node >= 22, some 7 MB.
    const { Agent: Plain } = process.getBuiltinModule('node:http')
    return {
      request: new Plain(pools.request),
      watch: new Plain(pools.watch),
      lease: new Plain(pools.lease),
    }
  }
  const secure = {
    // One context for all connections: each would parse the CA and the key again.
    secureContext: secureContext(config, { ca, cert: identity.certificate, key: identity.key }),
    rejectUnauthorized: !config.insecure, // said outright, so that the environment cannot turn it off
    ...(config.serverName === undefined ? {} : { servername: config.serverName }),
  }
  return {
    request: new Agent({ ...pools.request, ...secure }),
    watch: new Agent({ ...pools.watch, ...secure }),
    lease: new Agent({ ...pools.lease, ...secure }),
  }
}

function secureContext(config: KubeConfig, { ca, cert, key }: SecureContextOptions) {
  try {
    return createSecureContext({ ca, cert, key, minVersion: 'TLSv1.2' })
  } catch (error) {
    const mismatch = (error as NodeJS.ErrnoException).code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH'
    const why = mismatch
      ? 'the key is not of this certificate'
      : `expected PEM: ${(error as Error).message}`
    throw new Error(`reading the client certificate and key of ${config.user.name}: ${why}`, {
      cause: error,
    })
  }
}

/** Requests under way go on; no other follows them on their connections. */
function retire(pools: Pools): void {
  for (const agent of Object.values(pools)) {
    agent.maxFreeSockets = 0
    for (const sockets of Object.values(agent.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy()
    }
  }
}
