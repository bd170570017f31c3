/** A network that can fall silent: a TCP proxy whose connections stay open while nothing passes. */
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type TcpProxy = {
  readonly port: number
  /** Nothing passes in either direction, and new connections are taken that lead nowhere. */
  readonly stall: () => void
  /** What was held back arrives after all, also from senders that have ended. */
  readonly resume: () => void
  /** Bytes that went through to the server. */
  readonly passed: () => number
  readonly close: () => Promise<void>
}

export async function startTcpProxy(to: {
  readonly host: string
  readonly port: number
}): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  const ways: Socket[] = []
  let stalled = false

  const join = ([near, far]: readonly [Socket, Socket]) => {
    near.pipe(far)
    far.pipe(near)
  }
  const part = ([near, far]: readonly [Socket, Socket]) => {
    for (const socket of [near, far]) socket.unpipe().pause()
  }
  // Half open, so that what a sender left behind when it ended is still read.
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (near) => {
    const far = connect({ ...to, allowHalfOpen: true })
    const pair = [near, far] as const
    pairs.add(pair)
    ways.push(far)
    const end = () => {
      pairs.delete(pair)
      for (const socket of pair) socket.destroy()
    }
    for (const socket of pair)
      socket.on('error', () => !stalled && end()).on('close', () => !stalled && end())
    if (!stalled) join(pair)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    stall: () => {
      stalled = true
      pairs.forEach(part)
    },
    resume: () => {
      stalled = false
      pairs.forEach(join)
    },
    passed: () => ways.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      await closed
    },
  }
}

/** One in front of a cluster, and a kubeconfig that goes through it. */
export async function startProxyTo(
  { url, kubeconfig }: { readonly url: string; readonly kubeconfig: string },
  file: string,
): Promise<TcpProxy> {
  const { hostname, port } = new URL(url)
  const proxy = await startTcpProxy({ host: hostname, port: Number(port) })
  const direct = readFileSync(kubeconfig, 'utf8')
  writeFileSync(file, direct.replace(url, `https://127.0.0.1:${proxy.port}`))
  return proxy
}
