/** A kubelet's pod-resources service, as others hear it: HTTP/2 on a Unix socket. */
import { once } from 'node:events'
import { createServer, type ServerHttp2Stream } from 'node:http2'

type Method = 'List' | 'GetAllocatableResources'

/** What is sent for each method: a message with its prefix, or the gRPC status of a refusal. */
export type Answers = Readonly<
  Record<Method, Buffer | { readonly status: number; readonly message: string }>
>

const hex = (text: string): Buffer => Buffer.from(text, 'hex')

/**
 * Recorded from Kubernetes 1.36: 8 CPUs on two NUMA nodes of 1 GiB, CPU 7 and 128 MiB a node reserved,
 * Memory Manager static; the pods `pair` and `two` hold CPUs 0-1, 2-3 and 4-5, and 64 MiB a container.
 */
export const recorded: Answers = {
  GetAllocatableResources: hex(
    '00000000331207020304050600011a120a066d656d6f727910808080c0031a020a001a140a066d656d6f727910808080c0031a040a020801',
  ),
  List: hex(
    '00000000800a2e0a0470616972120764656661756c741a1d0a046d61696e1a02010022110a066d656d6f727910808080201a020a00' +
      '0a4e0a0374776f120764656661756c741a1c0a036f6e651a02030222110a066d656d6f727910808080201a020a00' +
      '1a200a056f746865721a02040522130a066d656d6f727910808080201a040a020801',
  ),
}

/** A field of a message that holds bytes: a text, or a message of such fields. */
export function field(number: number, ...content: readonly (string | Buffer)[]): Buffer {
  const bytes = Buffer.concat(content.map((part) => Buffer.from(part)))
  if (bytes.length > 127) throw new Error(`expected at most 127 bytes, got ${bytes.length}`)
  return Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes])
}

/** A whole answer: its fields, behind the prefix. */
export function answer(...fields: readonly Buffer[]): Buffer {
  const message = Buffer.concat(fields)
  const prefix = Buffer.alloc(5)
  prefix.writeUInt32BE(message.length, 1)
  return Buffer.concat([prefix, message])
}

export type FakeKubelet = {
  /** As asked, in order. */
  readonly asked: string[]
  readonly stop: () => Promise<void>
}

/** `answers` is asked anew for each call. */
export async function servePodResources(
  socket: string,
  answers: () => Answers,
): Promise<FakeKubelet> {
  const asked: string[] = []
  const server = createServer()
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {}) // who asked may have left
    const path = String(headers[':path'])
    asked.push(path)
    respond(stream, answers()[path.replace('/v1.PodResourcesLister/', '') as Method])
  })
  server.listen(socket)
  await once(server, 'listening')
  return {
    asked,
    stop: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

/** A refusal comes without a body, its status among the headers. */
function respond(stream: ServerHttp2Stream, said: Answers[Method]): void {
  const headers = { ':status': 200, 'content-type': 'application/grpc' }
  if (!Buffer.isBuffer(said)) {
    const { status, message } = said
    const refusal = { 'grpc-status': `${status}`, 'grpc-message': encodeURIComponent(message) }
    stream.respond({ ...headers, ...refusal }, { endStream: true })
    return
  }
  stream.respond(headers, { waitForTrailers: true })
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
  // In two parts, as a long answer would come.
  stream.write(said.subarray(0, 7))
  stream.end(said.subarray(7))
}
