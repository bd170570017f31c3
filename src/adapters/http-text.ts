/** The answers of servers that are not Kubernetes: as much text as is reasonable, and why not. */
import { Broken } from './kube/exchange.ts'

export async function readBounded(
  chunks: AsyncIterable<Uint8Array>,
  { mostBytes, remedy = '' }: { readonly mostBytes: number; readonly remedy?: string },
): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > mostBytes) throw new Error(`expected at most ${mostBytes} bytes${remedy}`)
    parts.push(chunk)
  }
  return Buffer.concat(parts).toString()
}

/** What went wrong on the connection, or after it. */
export const causeOf = (error: Error): Error => (error instanceof Broken ? error.cause : error)

/** Where several addresses were tried, the message is empty. */
export const wordsOf = (error: Error): string =>
  error.message || ((error as NodeJS.ErrnoException).code ?? error.name)
