/** What anybody who reaches a port of ours can send: the process lives, answers others, and stays small. */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'

import { type Scene, setScene, type Victim } from '../under-attack.ts'

type Attack = { readonly name: string; readonly run: (port: number) => Promise<void> }

const head = (method: string, path: string, more = ''): string =>
  `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${more}\r\n`
const chunked = 'transfer-encoding: chunked\r\n'
/** More than the agent and the controller hold at once. */
const CLIENTS = 100
const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

/** Not `once`: to be cut off with an error is what this is about. */
const happens = async (socket: Socket, event: string): Promise<void> =>
  socket.destroyed
    ? Promise.resolve()
    : new Promise((resolve) => void socket.once(event, () => resolve()))

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await Promise.race([happens(socket, 'connect'), happens(socket, 'close')])
  return socket
}

/** Until all of it is sent, or the other side has closed. */
async function pour(socket: Socket, pieces: Iterable<string>): Promise<void> {
  const closed = happens(socket, 'close')
  for (const piece of pieces) {
    if (socket.destroyed) return
    if (!socket.write(piece)) await Promise.race([happens(socket, 'drain'), closed])
  }
}

/** 12 MB on the wire: two million pieces of one byte each. */
function* crumbs() {
  for (let i = 0; i < 200; i += 1) yield '1\r\nx\r\n'.repeat(10_000)
}

const inCrumbs = (method: string, path: string): Attack => ({
  name: `a body of 2,000,000 one-byte chunks with ${method} ${path}`,
  run: async (port) => {
    const socket = await open(port)
    socket.resume()
    socket.write(head(method, path, chunked))
    await pour(socket, crumbs())
    socket.destroy()
  },
})

const fromMany = (name: string, says: string): Attack => ({
  name,
  run: async (port) => {
    const sockets = await Promise.all(numbers(CLIENTS).map(async () => open(port)))
    for (const socket of sockets) socket.write(says)
    await answered(port)
    for (const socket of sockets) socket.destroy()
  },
})

/** All that was sent before has been seen when this is answered, or its connection cut. */
async function answered(port: number): Promise<void> {
  const socket = await open(port)
  socket.write(head('GET', '/healthz', 'connection: close\r\n'))
  socket.resume()
  await happens(socket, 'close')
}

const attacks: readonly Attack[] = [
  inCrumbs('GET', '/healthz'),
  inCrumbs('POST', '/metrics'),
  inCrumbs('POST', '/login'),
  fromMany(
    '100 clients with bodies that nobody asked for',
    head('GET', '/metrics', chunked) + '1\r\nx\r\n'.repeat(500),
  ),
  fromMany('100 clients, each with 30 requests at once', head('GET', '/metrics').repeat(30)),
  fromMany('100 clients that ask for all and read nothing', head('GET', '/metrics')),
  fromMany('100 clients that never end their head', 'GET /healthz HTTP/1.1\r\nhost'),
  {
    name: 'one client that asks 1,000 times and reads nothing',
    run: async (port) => {
      const socket = await open(port)
      socket.pause()
      await pour(
        socket,
        numbers(1000).map(() => head('GET', '/metrics')),
      )
      await answered(port)
      socket.destroy()
    },
  },
]

void describe('a process under hostile requests', () => {
  let scene: Scene
  const victims: (Victim & { readonly mostMegabytes: number })[] = []

  before(async () => {
    scene = await setScene('--nodes', '1')
    victims.push(
      { ...(await scene.start('agent', '--node', 'node-0')), mostMegabytes: 120 },
      { ...(await scene.start('controller', '--lease-namespace', 'default')), mostMegabytes: 250 },
      { ...(await scene.start('dashboard')), mostMegabytes: 250 },
    )
  })
  after(async () => scene.strike())

  for (const { name, run } of attacks) {
    void test(name, async () => {
      for (const victim of victims) {
        await run(victim.port)
        await victim.assertWell()
        const peak = victim.peakMegabytes()
        assert.ok(peak < victim.mostMegabytes, `${victim.name} came to ${peak} MB`)
      }
    })
  }
})
