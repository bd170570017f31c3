/**
 * Calls of one question and one answer over a Unix socket, as gRPC has them over HTTP/2: a message is
 * a byte (0: not compressed), its length in four bytes, and itself; the outcome is in the trailers.
 */
import { once } from 'node:events'
import type { ClientHttp2Session, IncomingHttpHeaders, IncomingHttpStatusHeader } from 'node:http2'
import { connect as connectSocket, type Socket } from 'node:net'

import { readBoundedBytes } from '../http-text.ts'
import { onAbort, reasonOf } from '../kube/on-abort.ts'

/** Asks one method, with a message that says nothing; its answer. */
type AskGrpc = (method: string) => Promise<Buffer>

/** The kubelet answers from its memory; one that takes longer hangs. */
const MOST_MILLIS = 5000

/** Opens the socket for as long as `use` takes, or until the abort. */
export async function overSocket<T>(
  path: string,
  signal: AbortSignal,
  use: (ask: AskGrpc) => Promise<T>,
): Promise<T> {
  const socket = await openSocket(path, signal)
  // Only now: not every node has such a socket, and every agent's memory counts.
  const { connect } = await import('node:http2')
  const session = connect('http://localhost', { createConnection: () => socket })
  // Each call tells it too, and without a listener it would end the process.
  session.on('error', () => {})
  const giveUp = () => session.destroy(new Error(`expected answers in ${MOST_MILLIS} ms`))
  const timer = setTimeout(giveUp, MOST_MILLIS)
  const forget = onAbort(signal, () => session.destroy(reasonOf(signal)))
  try {
    return await use(async (method) => ask(session, method))
  } finally {
    clearTimeout(timer)
    forget()
    session.destroy()
  }
}

async function openSocket(path: string, signal: AbortSignal): Promise<Socket> {
  const socket = connectSocket(path)
  // Until the session listens, one that breaks would end the process.
  socket.on('error', () => {})
  const forget = onAbort(signal, () => socket.destroy(reasonOf(signal)))
  try {
    await once(socket, 'connect')
    return socket
  } finally {
    forget()
  }
}

/** Headers and trailers together: an answer that is only an error has no trailers of its own. */
type Outcome = IncomingHttpHeaders & IncomingHttpStatusHeader

/** A node runs some hundred pods of some hundred bytes each: more than this is not an answer. */
const MOST_BYTES = 16 * 1024 * 1024

const EMPTY_MESSAGE = Buffer.alloc(5)

async function ask(session: ClientHttp2Session, method: string): Promise<Buffer> {
  try {
    const request = session.request({
      ':method': 'POST',
      ':path': method,
      'content-type': 'application/grpc',
      te: 'trailers',
    })
    let outcome: Outcome = {}
    const note = (headers: Outcome): void => {
      outcome = { ...outcome, ...headers }
    }
    request.on('response', note)
    request.on('trailers', note)
    request.end(EMPTY_MESSAGE)
    const body = await readBoundedBytes(request, { mostBytes: MOST_BYTES })
    return messageIn(body, outcome)
  } catch (error) {
    throw new Error(`calling ${method}: ${(error as Error).message}`, { cause: error })
  }
}

function messageIn(body: Buffer, outcome: Outcome): Buffer {
  const { ':status': http, 'grpc-status': status, 'grpc-message': message = '' } = outcome
  if (http !== 200) throw new Error(`expected HTTP status 200, got ${http ?? 'none'}`)
  if (status !== '0') {
    throw new Error(`expected gRPC status 0, got ${String(status ?? 'none')}: ${decode(message)}`)
  }
  if (body.length < 5 || body[0] !== 0 || body.readUInt32BE(1) !== body.length - 5) {
    throw new Error(`expected one message that is not compressed, got ${body.length} bytes`)
  }
  return body.subarray(5)
}

/** One whose sender forgot to encode it is shown as it came. */
function decode(message: string | string[]): string {
  try {
    return decodeURIComponent(String(message))
  } catch {
    return String(message)
  }
}
