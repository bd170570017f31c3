/**
 * What is open, and how much of it: a server can close (Node leaves connections that have asked
 * nothing yet), and nobody from outside makes it hold more than it means to.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type Connections = {
  /**
   * Notes that a request is under way. False, and the connection is cut, if its client asked before
   * it had the last answer: a thousand requests in one packet would be a thousand answers in memory.
   */
  readonly begin: (request: IncomingMessage, response: ServerResponse) => boolean
  /** After an answer was handed over: cuts those who do not read theirs, the largest first. */
  readonly shed: () => void
  /** Ends those without a request under way now, the others after their answer. */
  readonly endWhenIdle: () => void
  readonly cut: () => void
}

export type ConnectionBounds = {
  /**
   * Connections at once. One more costs the oldest of the address that has the most: whoever takes
   * them all loses their own, and a probe gets through.
   */
  readonly mostConnections: number
  /** Bytes of answers that clients have not taken yet, together. */
  readonly mostWaitingBytes: number
}

export function trackConnections(server: Server, bounds: ConnectionBounds): Connections {
  /** By address, oldest first; those of TLS from before their handshake. */
  const byPeer = new Map<string, Set<Socket>>()
  /** By the end that requests come from, which TLS has its own of: the answers under way. */
  const asking = new Set<Socket>()
  let count = 0
  let isEnding = false

  server.on('connection', (socket: Socket) => {
    const { remoteAddress: peer = '' } = socket
    const ofPeer = byPeer.get(peer) ?? new Set()
    byPeer.set(peer, ofPeer.add(socket))
    count += 1
    socket.once('close', () => {
      if (ofPeer.delete(socket)) count -= 1
      if (ofPeer.size === 0 && byPeer.get(peer) === ofPeer) byPeer.delete(peer)
    })
    if (count > bounds.mostConnections) cutOldest()
  })

  function cutOldest(): void {
    const [greediest] = [...byPeer.values()].toSorted((a, b) => b.size - a.size)
    const [oldest] = greediest ?? []
    if (greediest === undefined || oldest === undefined) return
    greediest.delete(oldest) // its `close` comes later, and until then it must not count
    count -= 1
    oldest.destroy()
  }

  const all = (): Socket[] => [...byPeer.values()].flatMap((sockets) => Array.from(sockets))

  return {
    begin: ({ socket }, response) => {
      if (asking.has(socket)) {
        socket.destroy()
        return false
      }
      asking.add(socket)
      response.once('close', () => {
        asking.delete(socket)
        if (isEnding) socket.end()
      })
      return true
    },
    shed: () => {
      const waiting = [...asking].map((socket) => ({ socket, bytes: socket.writableLength }))
      let sum = waiting.reduce((bytes, each) => bytes + each.bytes, 0)
      for (const { socket, bytes } of waiting.toSorted((a, b) => b.bytes - a.bytes)) {
        if (sum <= bounds.mostWaitingBytes) return
        sum -= bytes
        socket.destroy()
      }
    },
    endWhenIdle: () => {
      isEnding = true
      const busy = new Set([...asking].map(addressOf))
      for (const socket of all()) if (!busy.has(addressOf(socket))) socket.destroy()
    },
    cut: () => {
      for (const socket of [...all(), ...asking]) socket.destroy()
    },
  }
}

/** The same for a connection of TLS and for the plain one below it. */
const addressOf = ({ remoteAddress = '', remotePort = 0 }: Socket): string =>
  `${remoteAddress} ${remotePort}`
