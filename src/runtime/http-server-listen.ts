import type { Server } from 'node:http'

export type ServerTls = { readonly cert: string | Buffer; readonly key: string | Buffer }

/** In milliseconds. */
export type ServerTimeouts = {
  /** For the head of a request, and for the TLS handshake. */
  readonly headers: number
  /** For a whole request, its body included. */
  readonly request: number
  /** Without a byte in either direction: a client that does not read its answer. */
  readonly idle: number
}

const usualTimeouts: ServerTimeouts = { headers: 10_000, request: 30_000, idle: 60_000 }

/** Cookies and what proxies add; the login's cookie has 100 bytes. */
const MOST_HEAD_BYTES = 8 * 1024
const MOST_HEADERS = 100
/** Of one connection, which its client then opens again. */
const MOST_REQUESTS = 1000

/**
 * `import` of node:http loads undici from Node 22 on, which holds 6 to 8 MB; `getBuiltinModule` does
 * not.
 */
export function createServer({
  tls,
  timeouts,
}: {
  readonly tls?: ServerTls
  readonly timeouts: Partial<ServerTimeouts> | undefined
}): Server {
  const { headers, request, idle } = { ...usualTimeouts, ...timeouts }
  const options = {
    headersTimeout: headers,
    requestTimeout: request,
    keepAliveTimeout: idle,
    maxHeaderSize: MOST_HEAD_BYTES,
    connectionsCheckingInterval: Math.min(headers, request) / 5,
  }
  const server = tls
    ? process
        .getBuiltinModule('node:https')
        .createServer({ ...options, ...tls, handshakeTimeout: headers })
    : process.getBuiltinModule('node:http').createServer(options)
  server.setTimeout(idle)
  server.maxHeadersCount = MOST_HEADERS
  server.maxRequestsPerSocket = MOST_REQUESTS
  return server
}

type Address = { readonly host: string; readonly port: number }

export async function listen(server: Server, address: Address): Promise<void> {
  const { host, port } = address
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const why = remedies[error.code ?? '']?.(address) ?? error.message
      reject(new Error(`serving HTTP on ${host}:${port}: ${why}`, { cause: error }))
    }
    server.once('error', fail)
    server.listen({ host, port }, () => {
      server.removeListener('error', fail)
      resolve()
    })
  })
}

const remedies: Readonly<Record<string, (address: Address) => string>> = {
  EADDRINUSE: ({ port }) =>
    `port ${port} is taken by another process; stop it, or choose another port`,
  EACCES: ({ port }) => `port ${port} is not for this user; choose one from 1024 on`,
  EADDRNOTAVAIL: ({ host }) =>
    `${host} is no address of this machine; choose one that is, or 0.0.0.0 for all`,
  ENOTFOUND: ({ host }) => `${host} is no known host; choose an address, or 0.0.0.0 for all`,
}
