/** Answers as text: as much as is reasonable, and why not. */
import { Broken } from './kube/exchange.ts'

type Bound = { readonly mostBytes: number; readonly remedy?: string }

export const readBounded = async (
  chunks: AsyncIterable<Uint8Array>,
  bound: Bound,
): Promise<string> => (await readBoundedBytes(chunks, bound)).toString()

/** More came than is reasonable. */
export class TooLong extends Error {
  override readonly name = 'TooLong'
}

/** Copies each piece as it comes: one of a single byte is an object of a hundred. */
export async function readBoundedBytes(
  chunks: AsyncIterable<Uint8Array>,
  { mostBytes, remedy = '' }: Bound,
): Promise<Buffer> {
  let bytes = Buffer.allocUnsafe(Math.min(mostBytes, 16 * 1024))
  let size = 0
  for await (const chunk of chunks) {
    const needed = size + chunk.length
    if (needed > mostBytes) throw new TooLong(`expected at most ${mostBytes} bytes${remedy}`)
    if (needed > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(mostBytes, 2 * needed))
      bytes.copy(larger, 0, 0, size)
      bytes = larger
    }
    bytes.set(chunk, size)
    size = needed
  }
  return bytes.subarray(0, size)
}

/** What went wrong on the connection, or after it. */
export const causeOf = (error: Error): Error => (error instanceof Broken ? error.cause : error)

/** Where several addresses were tried, the message is empty. */
export const wordsOf = (error: Error): string =>
  error.message || ((error as NodeJS.ErrnoException).code ?? error.name)
