/** How the generator asks: one function a server, which resolves when the whole answer is there. */
import { once } from 'node:events'
import { connect } from 'node:net'

type Ask = () => Promise<void>
type Server = { readonly socket: string; readonly size: number }

/** As a pool of a service would have. */
const connections = 8

/** Requests go round the connections; answers of one come in the order of its questions. */
export async function openRedis({ socket, size }: Server): Promise<Ask> {
  const words = ['SINTERCARD', '2', 'a', 'b', 'LIMIT', String(size)]
  const question = `*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join('')}`
  const pool = await Promise.all(Array.from({ length: connections }, async () => open()))
  let turn = 0
  return async () => {
    turn = (turn + 1) % pool.length
    return pool[turn]?.()
  }

  async function open(): Promise<Ask> {
    const connection = connect(socket)
    await once(connection, 'connect')
    const waiting: { resolve: () => void; reject: (error: Error) => void }[] = []
    let rest = ''
    connection.setEncoding('latin1').on('data', (text: string) => {
      const lines = (rest + text).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const asked = waiting.shift()
        if (line === `:${size}`) asked?.resolve()
        else asked?.reject(new Error(`asking redis: expected :${size}, got ${line}`))
      }
    })
    connection.once('close', () =>
      waiting.forEach(({ reject }) => reject(new Error('asking redis: it closed the connection'))),
    )
    connection.on('error', () => {}) // followed by close
    return async () =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        connection.write(question)
      })
  }
}

/** A connection for each request: whichever worker is free takes it. */
export function openNginx({ socket }: Server): Ask {
  const head = ['GET /text HTTP/1.1', 'Host: bench', 'Accept-Encoding: gzip', 'Connection: close']
  const question = `${head.join('\r\n')}\r\n\r\n`
  return async () =>
    new Promise((resolve, reject) => {
      const connection = connect(socket, () => connection.write(question))
      let first: Buffer | undefined
      connection.on('data', (part: Buffer) => (first ??= part))
      connection.once('error', (error) => reject(new Error('asking nginx', { cause: error })))
      connection.once('end', () => {
        const said = first?.toString('latin1') ?? ''
        if (said.startsWith('HTTP/1.1 200') && said.includes('Content-Encoding: gzip')) resolve()
        else reject(new Error(`asking nginx: expected 200, compressed, got ${said.slice(0, 200)}`))
        connection.destroy()
      })
    })
}
