/** The answers of servers that are not Kubernetes: as much as is reasonable, and why not. */
import { Broken } from './kube/exchange.ts'

type Bound = { readonly mostBytes: number; readonly remedy?: string }

export const readBounded = async (
  chunks: AsyncIterable<Uint8Array>,
  bound: Bound,
): Promise<string> => (await readBoundedBytes(chunks, bound)).toString()

export async function readBoundedBytes(
  chunks: AsyncIterable<Uint8Array>,
  { mostBytes, remedy = '' }: Bound,
): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > mostBytes) throw new Error(`expected at most ${mostBytes} bytes${remedy}`)
    parts.push(chunk)
  }
  return Buffer.concat(parts)
}

/** What went wrong on the connection, or after it. */
export const causeOf = (error: Error): Error => (error instanceof Broken ? error.cause : error)

/** Where several addresses were tried, the message is empty. */
export const wordsOf = (error: Error): string =>
  error.message || ((error as NodeJS.ErrnoException).code ?? error.name)
