/** What is open, so that a server can close: Node leaves connections that have asked nothing yet. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type Connections = {
  /** Ends those without a request under way now, the others after their answer. */
  readonly endWhenIdle: () => void
  readonly cut: () => void
}

/** `event` is `secureConnection` for a server of TLS. */
export function trackConnections(
  server: Server,
  event: 'connection' | 'secureConnection',
): Connections {
  /** How many requests of each are under way. */
  const open = new Map<Socket, number>()
  /** Of TLS: the plain connections, until the handshake is done. */
  const handshaking = new Map<string, Socket>()
  let isEnding = false

  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket)
    handshaking.set(peer, socket)
    socket.once('close', () => handshaking.delete(peer))
  })
  const opened = (socket: Socket) => {
    handshaking.delete(peerOf(socket))
    open.set(socket, 0)
    socket.once('close', () => open.delete(socket))
  }
  server.on(event, opened)

  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    open.set(socket, (open.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const left = (open.get(socket) ?? 1) - 1
      if (open.has(socket)) open.set(socket, left)
      if (isEnding && left === 0) socket.end()
    })
  })

  return {
    endWhenIdle: () => {
      isEnding = true
      for (const socket of handshaking.values()) socket.destroy()
      for (const [socket, requests] of open) if (requests === 0) socket.destroy()
    },
    cut: () => {
      for (const socket of [...handshaking.values(), ...open.keys()]) socket.destroy()
    },
  }
}

const peerOf = ({ remoteAddress = '', remotePort = 0 }: Socket): string =>
  `${remoteAddress} ${remotePort}`
