/**
 * Reads what a person named: a file, a pipe such as `<(command)`, or standard input for `-`. Nothing that is
 * named can fill the memory or keep us waiting for ever: bytes are bounded, and so is silence.
 */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'

import { InvalidInput } from '../core/errors.ts'
import { decodeText } from './decode-text.ts'

/** What messages call it. */
export const nameOf = (path: string): string => (path === '-' ? 'standard input' : path)

export type ReadBounds = {
  readonly mostBytes: number
  /** Without them only regular files are read: of what is read again and again, or while others wait. */
  readonly pipes: boolean
  /** How long a pipe may be silent, in milliseconds. */
  readonly patience: number
}

/** Configuration, kubeconfigs, certificates: what people write. */
const usualBounds: ReadBounds = { mostBytes: 4 << 20, pipes: true, patience: 60_000 }

/** The configuration of an agent, whose heap is small. */
export const forAgents: Partial<ReadBounds> = { mostBytes: 256 << 10 }

/** What is read while others wait, and read again: tokens, certificates, files of the kubelet. */
export const regularOnly: Partial<ReadBounds> = { mostBytes: 1 << 20, pipes: false }

/** Markets and questions that programs write: 64 MiB are a million bids. */
export const forDocuments: Partial<ReadBounds> = { mostBytes: 64 << 20 }

/** The text of a file, or of standard input for `-`. */
export async function readText(path: string, bounds: Partial<ReadBounds> = {}): Promise<string> {
  if (path !== '-') return readFileText(path, bounds)
  if (process.stdin.isTTY) {
    throw new InvalidInput(
      'reading standard input: expected a file or a pipe, got a terminal; name a file with -f',
    )
  }
  try {
    // As a stream: a read of descriptor 0 fails when the writer of the pipe is slower than we are.
    return await readStream(process.stdin, { ...usualBounds, ...bounds })
  } catch (error) {
    throw unreadable(nameOf(path), error)
  }
}

/** Of a pipe it waits for the end, in which nothing else is done. */
export function readFileText(path: string, bounds: Partial<ReadBounds> = {}): string {
  try {
    return readBytes(path, { ...usualBounds, ...bounds })
  } catch (error) {
    throw unreadable(path, error)
  }
}

async function readStream(
  stream: NodeJS.ReadStream,
  { mostBytes, patience }: ReadBounds,
): Promise<string> {
  const silent = new Error(`nothing came for ${patience / 1000} s`)
  const timer = setTimeout(() => stream.destroy(silent), patience)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      timer.refresh()
      size += chunk.length
      if (size > mostBytes) throw tooLarge(mostBytes)
      chunks.push(chunk)
    }
  } finally {
    clearTimeout(timer)
  }
  return decodeText(Buffer.concat(chunks))
}

function readBytes(path: string, bounds: ReadBounds): string {
  // Else the open of a pipe waits until somebody writes to it, and that of a terminal takes it over.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  try {
    const found = fstatSync(file)
    refuseKind(found, bounds)
    if (found.size > bounds.mostBytes) throw tooLarge(bounds.mostBytes, found.size)
    return decodeText(found.isFile() ? readRegular(file, bounds) : readPipe(file, bounds))
  } finally {
    closeSync(file)
  }
}

function refuseKind(found: Stats, { pipes }: ReadBounds): void {
  if (found.isDirectory()) throw new Error('it is a folder')
  if (found.isFile()) return
  if (!pipes) throw new Error('expected a regular file, got a pipe or a device')
  if (!found.isFIFO() && !found.isCharacterDevice()) {
    throw new Error('expected a file or a pipe, got a device or a socket')
  }
}

const CHUNK = 1 << 16

function readRegular(file: number, { mostBytes }: ReadBounds): Buffer {
  const chunks: Buffer[] = []
  for (let size = 0; ;) {
    const chunk = Buffer.allocUnsafe(CHUNK)
    const read = readSync(file, chunk)
    if (read === 0) return Buffer.concat(chunks)
    size += read
    if (size > mostBytes) throw tooLarge(mostBytes) // it grows, or does not know its size
    chunks.push(chunk.subarray(0, read))
  }
}

/** How long we wait for somebody to open the other end, and how long for the next look. */
const OPENED_WITHIN_MILLIS = 5000
const PAUSE_MILLIS = 5

function readPipe(file: number, { mostBytes, patience }: ReadBounds): Buffer {
  const isPipe = fstatSync(file).isFIFO()
  const unopened = Math.min(patience, OPENED_WITHIN_MILLIS)
  const chunks: Buffer[] = []
  let [size, silence] = [0, 0]
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK)
    const read = readIfAny(file, chunk)
    // A pipe that nobody has opened to write is at its end as well.
    if (read === 0 && (!isPipe || size > 0)) return Buffer.concat(chunks)
    if (read === 0 && silence >= unopened) {
      throw new Error(`it is a pipe, and nobody wrote to it within ${unopened / 1000} s`)
    }
    if (read === undefined && silence >= patience) {
      throw new Error(`it is a pipe or a terminal, and nothing came for ${patience / 1000} s`)
    }
    if (read === undefined || read === 0) {
      Atomics.wait(still, 0, 0, PAUSE_MILLIS)
      silence += PAUSE_MILLIS
      continue
    }
    silence = 0
    size += read
    if (size > mostBytes) throw tooLarge(mostBytes)
    chunks.push(chunk.subarray(0, read))
  }
}

/** Nobody ever wakes it: to wait for it is to sleep. */
const still = new Int32Array(new SharedArrayBuffer(4))

/** Undefined: nothing is there yet. */
function readIfAny(file: number, chunk: Buffer): number | undefined {
  try {
    return readSync(file, chunk)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined
    throw error
  }
}

const tooLarge = (most: number, got?: number): Error =>
  new Error(`expected at most ${most} bytes, got ${got ?? 'more'}`)

const causes: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'there is no such file: a part of its path is no folder'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'permission denied'],
  ['ELOOP', 'its symbolic links lead in a circle'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['ENXIO', 'it is a socket, or a device that is not there'],
  ['ERR_INVALID_ARG_VALUE', 'a name of a file has no NUL in it'],
])

function unreadable(name: string, error: unknown): InvalidInput {
  const { code, message } = error as NodeJS.ErrnoException
  const why = code === undefined ? message : (causes.get(code) ?? code)
  return new InvalidInput(`reading ${name}: ${why}`, { cause: error })
}
